#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/head_tail.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "event/child_process.h"
#include "event/fd_watch.h"
#include "event/timer.h"

namespace local_exec {

/// What a finished local command left behind.
struct CommandResult {
  std::string output;  ///< Both streams in the order they were written; head and tail when it was long.
  std::uint64_t total_bytes = 0;
  bool truncated = false;
  std::optional<int> exit_code;  ///< Nothing when a signal ended it.
  int signal = 0;
  bool timed_out = false;
  std::chrono::milliseconds duration{0};
};

/// One `bash -c` on the operator's machine: no terminal, nothing to read but `input`, a process group of its own.
///
/// Destroying it kills the whole group at once. stop() is the polite way: SIGINT, then SIGTERM, then SIGKILL; what the
/// command leaves of its group when it ends by that is killed.
class Subprocess {
 public:
  struct Options {
    std::string command;
    std::string directory;  ///< Empty: where jms was started.
    std::string input;      ///< For its standard input; empty: /dev/null.
    std::chrono::milliseconds timeout{30'000};
    std::size_t kept_bytes = 10'000;
    std::chrono::milliseconds escalation{1'000};  ///< Between the signals of stop().
  };
  struct Events {
    std::function<void(std::string_view)> on_output;  ///< As it comes. May be empty.
    std::function<void(CommandResult)> on_done;       ///< Once, from the loop.
  };

  static base::Result<std::unique_ptr<Subprocess>> start(event::EventLoop& loop, Options options, Events events);
  ~Subprocess();

  void stop();

 private:
  Subprocess(event::EventLoop& loop, Options options, Events events);
  base::Result<void> launch();
  base::Result<base::UniqueFd> open_input();
  void write_input();
  void read_output();
  void on_exit(event::ExitStatus status);
  void finish();
  void escalate(int step);

  event::EventLoop& loop_;
  Options options_;
  Events events_;
  base::HeadTail output_;
  std::chrono::steady_clock::time_point started_;
  std::optional<event::ExitStatus> status_;
  bool timed_out_ = false;
  bool output_ended_ = false;
  base::UniqueFd read_end_;
  base::UniqueFd input_end_;
  std::size_t input_sent_ = 0;
  std::unique_ptr<event::ChildProcess> child_;
  std::optional<event::FdWatch> watch_;
  std::optional<event::FdWatch> input_watch_;
  event::Timer deadline_;
  event::Timer step_timer_;
};

}  // namespace local_exec
