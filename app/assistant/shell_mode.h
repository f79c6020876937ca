#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "event/event_loop.h"
#include "local_exec/subprocess.h"
#include "remote_exec/output_store.h"

namespace app {

/// The operator's own commands on his own machine, typed after a '!': `bash -c` in the directory where jms was started,
/// one at a time, beside everything else.
class ShellMode {
 public:
  static constexpr std::size_t kShown = 4'096;           ///< Bytes of output that are shown.
  static constexpr std::size_t kKept = 8 * 1024 * 1024;  ///< … and that are kept in a file when there is more.
  static constexpr std::chrono::milliseconds kLimit{30'000};

  /// How a command ended.
  struct Ended {
    std::string command;
    std::string output;            ///< What was shown of it, without the note.
    std::optional<int> exit_code;  ///< Nothing when it was stopped or a signal ended it.
    bool stopped = false;          ///< By the operator.
    bool timed_out = false;
    std::chrono::milliseconds duration{0};
  };
  struct Events {
    std::function<void(const std::string& command)> on_begin;
    std::function<void(const std::string& shown)> on_output;  ///< All that is to be shown up to now.
    std::function<void(const Ended&)> on_end;
    std::function<void(const std::string& why)> on_refused;
  };

  /// What masks secrets in the output of one command on its way to a file.
  using MakeMask = std::function<std::unique_ptr<remote_exec::OutputFilter>()>;

  /// `outputs`: where output that is too long to be shown is kept, one file for each command; empty: nowhere.
  ShellMode(event::EventLoop& loop, std::string outputs, MakeMask make_mask, Events events);

  /// Starts it, or says why not.
  void run(const std::string& command);
  bool running() const { return process_ != nullptr; }
  /// Kills it at once, with everything it started.
  void stop();

 private:
  void on_output(std::string_view bytes);
  void on_done(const local_exec::CommandResult& result);
  void end(Ended ended);
  std::string shown() const;
  std::string note() const;

  event::EventLoop& loop_;
  std::string outputs_;
  MakeMask make_mask_;
  Events events_;
  std::string command_;
  std::chrono::steady_clock::time_point started_;
  std::string head_;  ///< The raw beginning of the output.
  std::size_t total_ = 0;
  std::unique_ptr<remote_exec::OutputFilter> mask_;
  std::optional<remote_exec::OutputStore> kept_;  ///< Has a file once there is more than is shown.
  std::unique_ptr<local_exec::Subprocess> process_;
};

}  // namespace app
