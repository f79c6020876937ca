#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "event/event_loop.h"
#include "transport/transport.h"

namespace bench {

using Clock = std::chrono::steady_clock;

inline double micros(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

/// A shell driven by hand: bytes typed, bytes awaited, nothing framed. What framing is measured against.
class Typist {
 public:
  Typist(event::EventLoop& loop, std::unique_ptr<transport::Transport> transport);

  /// Types the line and Enter in one go; µs until the next prompt.
  double enter(const std::string& line);

  struct Exchange {
    double echo = 0;    ///< µs from the text to its echo.
    double prompt = 0;  ///< µs from Enter to the next prompt.
    double total() const { return echo + prompt; }
  };
  /// Types the line, waits for its echo, then presses Enter: what a bastion wants, and how jms types.
  Exchange type_then_enter(const std::string& line);

 private:
  double send_and_wait(std::string_view bytes, const std::function<bool()>& done);
  bool at_prompt() const { return seen_.ends_with(prompt_); }
  void wait_for_silence();

  event::EventLoop& loop_;
  std::unique_ptr<transport::Transport> transport_;
  std::string seen_;
  Clock::time_point last_byte_ = Clock::now();
  std::string prompt_;  ///< The last bytes that the shell sends before it waits.
};

}  // namespace bench
