#include "tests/support/pty_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "tests/support/c_strings.h"

namespace support {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void give_up(const char* what) {
  throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

winsize to_winsize(base::Size size) {
  return {static_cast<unsigned short>(size.rows), static_cast<unsigned short>(size.cols), 0, 0};
}

[[noreturn]] void become(int terminal, const PtyProgram::Options& options, char* const* argv,
                         char* const* environment) {
  if (!options.directory.empty() && ::chdir(options.directory.c_str()) != 0) ::_exit(126);
  ::setsid();
  if (options.controlling) ::ioctl(terminal, TIOCSCTTY, 0);
  for (int fd = 0; fd <= 2; ++fd) ::dup2(terminal, fd);
  for (int signal_number : {SIGINT, SIGQUIT, SIGPIPE, SIGHUP, SIGTERM, SIGTSTP, SIGCHLD}) {
    ::signal(signal_number, SIG_DFL);
  }
  ::execvpe(argv[0], argv, environment);
  ::_exit(127);
}

int milliseconds_left(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
  return left.count() > 0 ? static_cast<int>(left.count()) : 0;
}

}  // namespace

PtyProgram::PtyProgram(const Options& options) : emulate_(options.emulate), screen_({.size = options.size}) {
  answer_queries(options.answer_queries);
  launch(options);
}

void PtyProgram::answer_queries(bool answer) {
  if (!answer) return screen_.on_reply(nullptr);
  screen_.on_reply([this](std::string_view reply) {
    answers_ += reply;
    pending_ += reply;
  });
}

PtyProgram::~PtyProgram() {
  if (ending_) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void PtyProgram::launch(const Options& options) {
  master_.reset(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  std::array<char, 64> name{};
  if (!master_ || ::grantpt(master_.get()) != 0 || ::unlockpt(master_.get()) != 0 ||
      ::ptsname_r(master_.get(), name.data(), name.size()) != 0) {
    give_up("opening a pseudo-terminal");
  }
  slave_.reset(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!slave_) give_up("opening the inner side");
  resize(options.size);
  first_settings_ = settings();

  const auto argv = c_strings(options.argv);
  const auto environment = c_strings(options.environment);
  pid_ = ::fork();
  if (pid_ < 0) give_up("fork");
  if (pid_ == 0) become(slave_.get(), options, argv.data(), environment.data());
  // Debian's <sys/pidfd.h> has no C linkage for C++.
  pidfd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  if (!pidfd_) give_up("pidfd_open");
  ::fcntl(master_.get(), F_SETFL, ::fcntl(master_.get(), F_GETFL) | O_NONBLOCK);
}

void PtyProgram::send(std::string_view keys) {
  pending_ += keys;
  write_pending();
}

void PtyProgram::resize(base::Size size) {
  const winsize window = to_winsize(size);
  ::ioctl(master_.get(), TIOCSWINSZ, &window);
  if (pid_ > 0) screen_.resize(size);
}

void PtyProgram::kill(int signal_number) {
  ::kill(pid_, signal_number);
}

void PtyProgram::hang_up() {
  master_.reset();
}

bool PtyProgram::wait_until(const std::function<bool()>& done, milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (!done()) {
    if (!pump(deadline)) return done();
  }
  return true;
}

bool PtyProgram::wait_for(std::string_view text, milliseconds limit) {
  std::size_t from = found_;
  return wait_until(
      [&] {
        const auto at = output_.find(text, from);
        if (at != std::string::npos) {
          found_ = at + text.size();
          return true;
        }
        if (output_.size() >= from + text.size()) from = output_.size() - text.size() + 1;
        return false;
      },
      limit);
}

bool PtyProgram::wait_for_screen(std::string_view text, milliseconds limit) {
  return wait_until([&] { return screen_text().find(text) != std::string::npos; }, limit);
}

void PtyProgram::settle(milliseconds quiet) {
  const auto deadline = Clock::now() + kLimit / 4;
  for (std::size_t before = output_.size(); Clock::now() < deadline; before = output_.size()) {
    if (!wait_until([&] { return output_.size() != before; }, quiet)) return;
  }
}

std::optional<Ending> PtyProgram::wait_for_exit(milliseconds limit) {
  wait_until([&] { return ending_.has_value(); }, limit);
  return ending_;
}

void PtyProgram::stay_deaf(milliseconds time) {
  pollfd end{pidfd_.get(), POLLIN, 0};
  ::poll(&end, 1, static_cast<int>(time.count()));
}

void PtyProgram::forget_output() {
  output_.clear();
  found_ = 0;
}

std::string PtyProgram::screen_text() const {
  std::string text;
  for (int index = 0; index < screen_.size().rows; ++index) text += row(index) + "\n";
  return text;
}

termios PtyProgram::settings() const {
  termios current{};
  if (::tcgetattr(slave_.get(), &current) != 0) give_up("tcgetattr");
  return current;
}

/// Waits for one event and serves it. False when the deadline passed or the program ended and all it wrote is read.
bool PtyProgram::pump(Clock::time_point deadline) {
  if (ending_) return false;
  const short wanted = pending_.empty() ? POLLIN : POLLIN | POLLOUT;
  std::array<pollfd, 2> fds{{{pidfd_.get(), POLLIN, 0}, {master_.get(), wanted, 0}}};
  const int ready = ::poll(fds.data(), fds.size(), milliseconds_left(deadline));
  if (ready <= 0) return ready < 0 && errno == EINTR;
  if (fds[1].revents & POLLOUT) write_pending();
  if (fds[1].revents & POLLIN) return read_available();
  if (fds[0].revents) {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    ending_ = WIFSIGNALED(status) ? Ending{0, WTERMSIG(status)} : Ending{WEXITSTATUS(status), 0};
  }
  return true;
}

bool PtyProgram::read_available() {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(master_.get(), buffer.data(), buffer.size());
  if (count <= 0) return count < 0 && (errno == EAGAIN || errno == EINTR);
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
  output_ += bytes;
  if (emulate_) screen_.write(bytes);
  return true;
}

void PtyProgram::write_pending() {
  const ssize_t count = ::write(master_.get(), pending_.data(), pending_.size());
  if (count > 0) pending_.erase(0, static_cast<std::size_t>(count));
}

}  // namespace support
