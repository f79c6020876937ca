#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "event/child_process.h"
#include "event/fd_watch.h"
#include "event/timer.h"
#include "transport/ssh/secret.h"

namespace app {

/// A command of the operator that prints a secret, run beside the loop: without our terminal, for half a minute at
/// most, and what it prints goes straight into locked memory. Destroying it ends the command.
class SecretCommand {
 public:
  /// The secret without its line end, or why there is none; never its words.
  using Done = std::function<void(base::Result<transport::Secret>)>;

  /// `done` is called once, from the loop; it may destroy the command.
  static base::Result<std::unique_ptr<SecretCommand>> start(event::EventLoop& loop, const std::string& command,
                                                            Done done);
  ~SecretCommand();

 private:
  SecretCommand(event::EventLoop& loop, Done done);
  base::Result<void> launch(const std::string& command);
  void read();
  void finish_when_both_ended();
  void finish(base::Result<transport::Secret> outcome);

  event::EventLoop& loop_;
  Done done_;
  transport::Secret printed_;
  bool too_long_ = false;
  bool output_ended_ = false;
  std::optional<event::ExitStatus> status_;
  base::UniqueFd read_end_;
  std::unique_ptr<event::ChildProcess> child_;
  std::optional<event::FdWatch> watch_;
  event::Timer deadline_;
};

}  // namespace app
