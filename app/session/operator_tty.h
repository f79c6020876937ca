#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "base/write_queue.h"
#include "event/event_loop.h"
#include "event/fd_watch.h"

namespace app {

/// The operator's terminal on the event loop: keys in, bytes out, neither ever blocking.
class OperatorTty {
 public:
  struct Events {
    std::function<void(std::string_view)> on_input;
    std::function<void()> on_drained;  ///< Everything written has reached the terminal.
    std::function<void()> on_gone;     ///< The terminal went away (its window was closed).
  };

  OperatorTty(event::EventLoop& loop, int fd, Events events);

  /// Queues bytes and writes what the terminal takes at once.
  void write(std::string_view bytes);
  /// Bytes the terminal has not taken yet. The owner brakes the remote when this grows.
  std::size_t unwritten() const { return queue_.size(); }

  /// While held, keys stay in the kernel's buffer.
  void hold_input(bool held);

 private:
  void on_ready(event::Readiness ready);
  void read_input();
  void flush();
  void update_interest();

  int fd_;
  Events events_;
  base::WriteQueue queue_;
  bool input_held_ = false;
  bool gone_ = false;
  event::FdWatch watch_;
};

}  // namespace app
