#include "terminal/outer_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

namespace terminal {
namespace {

/// What a signal handler may touch: plain memory, filled in before it is needed.
struct Rescue {
  int fd = -1;
  termios original{};
  termios raw_settings{};
  volatile sig_atomic_t raw = 0;
  // Two buffers: the handler always finds a whole sequence in the one `current` names.
  std::array<std::array<char, 1024>, 2> exit_bytes{};
  std::array<std::size_t, 2> exit_length{};
  std::atomic<int> current{0};
};
Rescue rescue;

// Fatal signals that a destructor never sees. The last four are the event loop's as soon as it watches them.
constexpr int kFatalSignals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS,
                                 SIGXCPU, SIGTERM, SIGHUP, SIGINT, SIGQUIT};

// After a crash the exit sequence may be older than what the remote sent last. These do no harm to a terminal that is
// in none of the modes: no mouse, focus, paste and application keys, main screen, visible cursor, plain pen and
// charset.
constexpr char kAfterCrash[] =
    "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\x1b[?1047l\x1b[?25h\x1b[m\x0f\x1b("
    "B";

/// Does not wait for a terminal that takes nothing (Ctrl-S): gives up after a moment.
void write_within_reason(const char* bytes, std::size_t left) {
  for (int tries = 0; left > 0 && tries < 20;) {
    const ssize_t count = ::write(rescue.fd, bytes, left);
    if (count > 0) {
      bytes += count;
      left -= static_cast<std::size_t>(count);
      continue;
    }
    if (count < 0 && errno != EAGAIN && errno != EINTR) break;
    pollfd writable{rescue.fd, POLLOUT, 0};
    ::poll(&writable, 1, 10);
    ++tries;
  }
}

/// Async-signal-safe.
void put_back(bool crashed) {
  if (rescue.raw == 0) return;
  rescue.raw = 0;
  if (crashed) write_within_reason(kAfterCrash, sizeof kAfterCrash - 1);
  const auto which = static_cast<std::size_t>(rescue.current.load(std::memory_order_acquire));
  write_within_reason(rescue.exit_bytes[which].data(), rescue.exit_length[which]);
  tcsetattr(rescue.fd, TCSANOW, &rescue.original);
}

extern "C" void die_restored(int signal_number) {
  put_back(true);
  // SA_RESETHAND has put the default action back; returning lets a fault strike again, raise covers abort and kill.
  ::raise(signal_number);
}

// Signals that ask us to end. The event loop sees the first of each; a loop that is stuck sees nothing at all.
constexpr int kEndingSignals[] = {SIGTERM, SIGHUP};

/// The handler of the event loop and whether it has had its signal.
struct Request {
  void (*handler)(int) = SIG_DFL;
  volatile sig_atomic_t made = 0;
};
std::array<Request, std::size(kEndingSignals)> requests;

extern "C" void end_at_the_second(int signal_number) {
  Request& request = requests[signal_number == kEndingSignals[0] ? 0 : 1];
  if (request.made == 0) {
    request.made = 1;
    return request.handler(signal_number);
  }
  ::signal(signal_number, SIG_DFL);
  die_restored(signal_number);
}

void install_fatal_handlers() {
  struct sigaction action {};
  action.sa_handler = die_restored;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
  for (const int number : kFatalSignals) sigaction(number, &action, nullptr);
}

/// A stack of its own, so that even an overflowed stack can be cleaned up after.
void install_signal_stack() {
  static std::array<char, 64 * 1024> memory;
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  sigaltstack(&stack, nullptr);
}

}  // namespace

base::Result<OuterTerminal> OuterTerminal::open() {
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
    return base::fail("standard input and output must be a terminal; run jms from one, or use `jms exec` in scripts");
  char path[256] = "/dev/tty";
  if (ttyname_r(STDIN_FILENO, path, sizeof path) != 0) std::strcpy(path, "/dev/tty");
  base::UniqueFd fd(::open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!fd) return base::fail_errno(std::string("opening your terminal ") + path);
  return OuterTerminal(std::move(fd));
}

OuterTerminal::~OuterTerminal() {
  if (fd_) leave();
}

base::Size OuterTerminal::size() const {
  winsize found{};
  if (ioctl(fd_.get(), TIOCGWINSZ, &found) != 0 || found.ws_row == 0 || found.ws_col == 0) return {};
  return {found.ws_row, found.ws_col};
}

base::Result<void> OuterTerminal::enter_raw() {
  if (rescue.raw != 0) return {};
  termios settings{};
  if (tcgetattr(fd_.get(), &settings) != 0) return base::fail_errno("reading your terminal's settings");
  rescue.fd = fd_.get();
  rescue.original = settings;
  install_signal_stack();
  install_fatal_handlers();
  cfmakeraw(&settings);
  rescue.raw_settings = settings;
  rescue.raw = 1;
  if (tcsetattr(fd_.get(), TCSANOW, &settings) != 0) {
    rescue.raw = 0;
    return base::fail_errno("switching your terminal to raw mode");
  }
  return {};
}

void OuterTerminal::raw_again() {
  rescue.raw = 1;
  tcsetattr(fd_.get(), TCSANOW, &rescue.raw_settings);
}

void OuterTerminal::leave() {
  put_back(false);
}

void OuterTerminal::insist_on_ending() {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    struct sigaction found {};
    sigaction(kEndingSignals[i], nullptr, &found);
    const bool handled = found.sa_handler != SIG_DFL && found.sa_handler != SIG_IGN;
    if (!handled || found.sa_handler == end_at_the_second) continue;
    requests[i].handler = found.sa_handler;
    found.sa_handler = end_at_the_second;
    sigaction(kEndingSignals[i], &found, nullptr);
  }
}

void OuterTerminal::set_exit_sequence(std::string_view bytes) {
  const int spare = 1 - rescue.current.load(std::memory_order_relaxed);
  auto& buffer = rescue.exit_bytes[static_cast<std::size_t>(spare)];
  const std::size_t length = std::min(bytes.size(), buffer.size());
  std::memcpy(buffer.data(), bytes.data(), length);
  rescue.exit_length[static_cast<std::size_t>(spare)] = length;
  rescue.current.store(spare, std::memory_order_release);
}

}  // namespace terminal
