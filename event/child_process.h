#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "event/event_loop.h"
#include "event/signal_watch.h"

namespace event {

/// How a child ended: by itself with a code, or by a signal.
struct ExitStatus {
  int code = 0;    ///< Exit code; 128 + signal when a signal ended it, as shells report it.
  int signal = 0;  ///< 0 unless a signal ended it.
};

/// Reports the end of one child process. Destroying it stops the reporting; it does not kill. A child that goes on is
/// waited for by the loop, so that it never stays a zombie.
class ChildProcess {
 public:
  using OnExit = std::function<void(ExitStatus)>;

  /// What to start, in a process group of its own. Descriptors of -1 are /dev/null.
  struct Spawn {
    std::vector<std::string> argv;
    std::vector<std::string> environment;  ///< "NAME=value"; empty: ours.
    std::string directory;                 ///< Empty: ours.
    int stdin_fd = -1;
    int stdout_fd = -1;
    int stderr_fd = -1;
    bool own_session = false;  ///< Without our terminal: nothing it starts can ask on it.
    bool our_group = false;    ///< Stays in our process group instead: it may ask on our terminal, and hears Ctrl-C.
  };

  /// Watches a child that was forked elsewhere (forkpty).
  ChildProcess(EventLoop& loop, pid_t pid, OnExit on_exit);
  ~ChildProcess();

  static base::Result<std::unique_ptr<ChildProcess>> spawn(EventLoop& loop, const Spawn& what, OnExit on_exit);

  pid_t pid() const { return pid_; }
  bool running() const { return !reaped_; }
  /// Sends a signal to the child, or to its whole process group, while it has not been reaped.
  void kill(int signal_number);
  void kill_group(int signal_number);
  /// When the child ends, what is left of its group is killed with it: a shell's background jobs do not hear SIGINT.
  void take_group_along() { group_goes_too_ = true; }

 private:
  void reap();

  EventLoop& loop_;
  pid_t pid_;
  bool reaped_ = false;
  bool group_goes_too_ = false;
  OnExit on_exit_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::optional<SignalWatch> sigchld_;
};

}  // namespace event
