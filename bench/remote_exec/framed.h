#pragma once

#include <memory>
#include <string>

#include "bench/remote_exec/typist.h"
#include "remote_exec/exec_session.h"

namespace bench {

/// A session of jms whose bytes are watched on their way, so that each step of a framed command has its time.
class Framed {
 public:
  Framed(event::EventLoop& loop, std::unique_ptr<transport::Transport> transport, bool hooks);
  ~Framed();

  /// µs since run().
  struct Times {
    double typed = 0;    ///< The line was sent.
    double echoed = 0;   ///< Its echo was complete and Enter was sent.
    double started = 0;  ///< The start mark came.
    double ended = 0;    ///< The end mark came.
    double result = 0;   ///< The result was handed over.
    double prompt = 0;   ///< The next prompt was recognised.
  };
  Times run(const std::string& command);

  /// Of the last command: "line" or "hook".
  const std::string& framing() const { return framing_; }
  /// How long the last typed line was.
  std::size_t line_length() const { return line_length_; }

 private:
  class Watched;
  struct Stamps {
    Clock::time_point typed, echoed, started, ended, result;
  };

  event::EventLoop& loop_;
  Stamps stamps_;
  std::string framing_;
  std::size_t line_length_ = 0;
  std::string seen_;  ///< Since Enter.
  std::unique_ptr<remote_exec::ExecSession> session_;
};

}  // namespace bench
