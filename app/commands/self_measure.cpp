#include "app/commands/self_measure.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>

#include "transport/pty_transport.h"

extern char** environ;

namespace app {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr int kStarts = 9;
constexpr int kKeys = 300;
constexpr milliseconds kLongest{5000};
constexpr milliseconds kSettle{700};  // jms asks its terminal where the cursor is; nobody answers here.

microseconds middle(std::vector<microseconds> times, double share) {
  std::sort(times.begin(), times.end());
  return times[static_cast<std::size_t>(static_cast<double>(times.size() - 1) * share)];
}

/// From exec to exit of `jms --version`; nothing when it cannot be started.
std::optional<microseconds> one_start(const std::string& self) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  std::array<char*, 3> argv{const_cast<char*>(self.c_str()), const_cast<char*>("--version"), nullptr};
  const auto began = Clock::now();
  pid_t child = -1;
  const int failed = posix_spawn(&child, self.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return std::nullopt;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return std::chrono::duration_cast<microseconds>(Clock::now() - began);
}

std::optional<std::size_t> resident_bytes(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  std::size_t total = 0, resident = 0;
  if (!(file >> total >> resident)) return std::nullopt;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// A program on a pty whose terminal echoes what is typed; keys go in one at a time.
class EchoingProgram {
 public:
  static base::Result<std::unique_ptr<EchoingProgram>> launch(event::EventLoop& loop, std::vector<std::string> argv) {
    auto pty = transport::PtyTransport::launch(
        loop, {.argv = std::move(argv), .environment = {"TERM=xterm"}, .size = {24, 80}});
    if (!pty) return base::fail(pty.error());
    return std::make_unique<EchoingProgram>(loop, std::move(*pty));
  }

  EchoingProgram(event::EventLoop& loop, std::unique_ptr<transport::PtyTransport> pty)
      : loop_(loop), pty_(std::move(pty)) {
    pty_->start(
        {.on_bytes = [this](std::string_view bytes) { seen_ = seen_ || bytes.find('x') != std::string_view::npos; },
         .on_closed = [this](const transport::Closed&) { gone_ = true; },
         .on_drained = {}});
  }

  /// Types one key and waits until it is shown; nothing when it is not.
  std::optional<microseconds> key() {
    seen_ = false;
    const auto pressed = Clock::now();
    pty_->send("x");
    if (!loop_.run_until([this] { return seen_ || gone_; }, kLongest) || gone_) return std::nullopt;
    return std::chrono::duration_cast<microseconds>(Clock::now() - pressed);
  }
  /// Away with the typed line before the terminal's line buffer is full.
  void clear_line() { pty_->send("\x15"); }
  pid_t pid() const { return pty_->child_pid(); }

 private:
  event::EventLoop& loop_;
  std::unique_ptr<transport::PtyTransport> pty_;
  bool seen_ = false;
  bool gone_ = false;
};

base::Result<void> measure_echo(event::EventLoop& loop, const std::string& self, Footprint& into) {
  auto wrapped = EchoingProgram::launch(loop, {self, "--config", "/dev/null", "local", "--shell", "/bin/cat"});
  if (!wrapped) return base::fail(wrapped.error());
  auto bare = EchoingProgram::launch(loop, {"/bin/cat"});
  if (!bare) return base::fail(bare.error());
  loop.run_until([] { return false; }, kSettle);
  into.session_bytes = resident_bytes((*wrapped)->pid());
  std::vector<microseconds> through, alone;
  for (int i = 0; i < kKeys; ++i) {
    const auto a = (*wrapped)->key();
    const auto b = (*bare)->key();
    if (!a || !b) return base::fail("the echo test does not come to its end: a session of jms on /bin/cat went silent");
    through.push_back(*a);
    alone.push_back(*b);
    if (i % 50 == 49) {
      (*wrapped)->clear_line();
      (*bare)->clear_line();
    }
  }
  into.through_jms = {middle(through, 0.5), middle(through, 0.99)};
  into.bare = {middle(alone, 0.5), middle(alone, 0.99)};
  return {};
}

}  // namespace

base::Result<Footprint> measure_self(event::EventLoop& loop) {
  std::error_code error;
  Footprint print;
  print.path = std::filesystem::read_symlink("/proc/self/exe", error).string();
  if (error) return base::fail("/proc/self/exe cannot be read (" + error.message() + "); is /proc mounted?");
  print.binary_bytes = std::filesystem::file_size(print.path, error);
  std::vector<microseconds> starts;
  for (int i = 0; i < kStarts; ++i) {
    const auto took = one_start(print.path);
    if (!took) return base::fail(print.path + " cannot be started again; was it replaced while it ran?");
    starts.push_back(*took);
  }
  print.start = middle(starts, 0.5);
  if (auto echo = measure_echo(loop, print.path, print); !echo) return base::fail(echo.error());
  return print;
}

}  // namespace app
