#include "event/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <utility>

#include "event/reaper.h"

namespace event {
namespace {

std::vector<char*> as_pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const auto& text : strings) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// posix_spawn's two argument objects, freed together.
struct SpawnSetup {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  SpawnSetup() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  void connect(int fd, int target, int open_mode) {
    if (fd < 0)
      posix_spawn_file_actions_addopen(&actions, target, "/dev/null", open_mode, 0);
    else
      posix_spawn_file_actions_adddup2(&actions, fd, target);
  }

  void reset_signals(const ChildProcess::Spawn& what) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    // A new session brings a new process group with it.
    const int group = what.own_session ? POSIX_SPAWN_SETSID : what.our_group ? 0 : POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  }
};

}  // namespace

ChildProcess::ChildProcess(EventLoop& loop, pid_t pid, OnExit on_exit)
    : loop_(loop), pid_(pid), on_exit_(std::move(on_exit)) {
  sigchld_.emplace(loop, SIGCHLD, [this] { reap(); });
  // It may have ended before the watch was set.
  loop.defer([this, alive = std::weak_ptr<bool>(alive_)] {
    if (!alive.expired()) reap();
  });
}

ChildProcess::~ChildProcess() {
  if (!reaped_) Reaper::take(loop_, pid_);
}

base::Result<std::unique_ptr<ChildProcess>> ChildProcess::spawn(EventLoop& loop, const Spawn& what, OnExit on_exit) {
  SpawnSetup setup;
  setup.connect(what.stdin_fd, STDIN_FILENO, O_RDONLY);
  setup.connect(what.stdout_fd, STDOUT_FILENO, O_WRONLY);
  setup.connect(what.stderr_fd, STDERR_FILENO, O_WRONLY);
  if (!what.directory.empty()) posix_spawn_file_actions_addchdir_np(&setup.actions, what.directory.c_str());
  setup.reset_signals(what);

  auto argv = as_pointers(what.argv);
  auto environment = as_pointers(what.environment);
  pid_t pid = -1;
  const int status = posix_spawnp(&pid, argv[0], &setup.actions, &setup.attributes, argv.data(),
                                  what.environment.empty() ? environ : environment.data());
  if (status != 0) {
    errno = status;
    return base::fail_errno("starting " + what.argv.front());
  }
  return std::make_unique<ChildProcess>(loop, pid, std::move(on_exit));
}

void ChildProcess::kill(int signal_number) {
  if (!reaped_) ::kill(pid_, signal_number);
}

void ChildProcess::kill_group(int signal_number) {
  if (!reaped_) ::kill(-pid_, signal_number);
}

void ChildProcess::reap() {
  if (reaped_) return;
  if (group_goes_too_) {
    // Before it is reaped: its number, which names the group, still belongs to it.
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0) return;
    ::kill(-pid_, SIGKILL);
  }
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return;
  reaped_ = true;
  sigchld_.reset();
  ExitStatus end;
  if (WIFSIGNALED(status)) end = {128 + WTERMSIG(status), WTERMSIG(status)};
  if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
  if (auto report = std::move(on_exit_)) report(end);
}

}  // namespace event
