#include "transport/pty_transport.h"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace transport {
namespace {

// A pty hands out at most 4 KB per read; several reads are gathered so that a flood costs few wake-ups, and few enough
// that a key press is never more than one such piece away.
constexpr std::size_t kPtyPiece = 64 * 1024;

winsize to_winsize(base::Size size) {
  winsize wanted{};
  wanted.ws_row = static_cast<unsigned short>(size.rows);
  wanted.ws_col = static_cast<unsigned short>(size.cols);
  return wanted;
}

std::vector<char*> as_pointers(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const auto& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Our environment with `changes` added, or in place of ours.
std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  std::vector<std::string> all = changes;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view ours(*entry);
    const std::string_view name = ours.substr(0, ours.find('=') + 1);
    const bool replaced = std::any_of(changes.begin(), changes.end(),
                                      [&](const std::string& change) { return change.starts_with(name); });
    if (!replaced) all.emplace_back(ours);
  }
  return all;
}

/// Runs in the child after fork: only calls that are safe there, so everything is laid out before.
[[noreturn]] void become(const std::string& name, char* const* argv, char* const* environment) {
  // Whatever jms blocked or ignored must not be inherited: a shell with SIGINT ignored could not be interrupted.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  execvpe(name.c_str(), argv, environment);
  const char* reason = errno == ENOENT ? ": no such program\n" : ": cannot be run\n";
  (void)!::write(STDERR_FILENO, "jms: ", 5);
  (void)!::write(STDERR_FILENO, name.data(), name.size());
  (void)!::write(STDERR_FILENO, reason, std::char_traits<char>::length(reason));
  _exit(127);
}

}  // namespace

base::Result<std::unique_ptr<PtyTransport>> PtyTransport::launch(event::EventLoop& loop, const Program& program) {
  const auto argv = as_pointers(program.argv);
  const auto variables = environment_with(program.environment);
  const auto environment = as_pointers(variables);
  const winsize size = to_winsize(program.size);
  int master = -1;
  const pid_t child = forkpty(&master, nullptr, nullptr, &size);
  if (child < 0) return base::fail_errno("opening a pseudo-terminal");
  if (child == 0) become(program.argv.front(), argv.data(), environment.data());
  fcntl(master, F_SETFD, FD_CLOEXEC);
  fcntl(master, F_SETFL, O_NONBLOCK);
  return std::make_unique<PtyTransport>(loop, base::UniqueFd(master), child);
}

PtyTransport::PtyTransport(event::EventLoop& loop, base::UniqueFd master, pid_t child)
    : loop_(loop), master_(std::move(master)), child_(loop, child, [this](event::ExitStatus status) {
        exit_ = status;
        // A background process may hold the terminal open; the session is over when its shell is. What the shell
        // wrote last is still in the pty and is read before the end is reported.
        const std::weak_ptr<bool> alive = alive_;
        read_some();
        if (!alive.expired()) finish_when_both_ended();
      }) {}

PtyTransport::~PtyTransport() {
  watch_.reset();
  // Closing the master is how a terminal goes away: the kernel sends SIGHUP to everything on it.
  master_.reset();
}

void PtyTransport::start(Events events) {
  events_ = std::move(events);
  watch_.emplace(loop_, master_.get(), event::kRead, [this](event::Readiness ready) { on_ready(ready); });
}

void PtyTransport::on_ready(event::Readiness ready) {
  const std::weak_ptr<bool> alive = alive_;
  if (ready.write) write_some();
  if (!alive.expired() && ready.read) read_some();
  if (!alive.expired()) finish_when_both_ended();
}

void PtyTransport::read_some() {
  if (drained_ || paused_ || !events_.on_bytes) return;
  std::array<char, kPtyPiece> buffer;
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const ssize_t count = ::read(master_.get(), buffer.data() + filled, buffer.size() - filled);
    if (count > 0) {
      filled += static_cast<std::size_t>(count);
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    // EIO is how Linux says that nobody has the other side open any more.
    const bool nothing_now = count < 0 && errno == EAGAIN;
    if (!nothing_now || exit_) drained_ = true;
    break;
  }
  const std::weak_ptr<bool> alive = alive_;
  // A copy: the callback may destroy this transport, and itself with it.
  const auto deliver = events_.on_bytes;
  if (filled > 0) deliver({buffer.data(), filled});
  if (!alive.expired()) update_interest();
}

void PtyTransport::write_some() {
  if (queue_.empty()) return;
  if (queue_.flush(master_.get()) == base::WriteQueue::Outcome::failed) queue_.clear();
  update_interest();
  if (queue_.empty() && events_.on_drained) events_.on_drained();
}

void PtyTransport::send(std::string_view bytes) {
  const bool direct = queue_.empty();
  queue_.append(bytes);
  if (!direct) return;
  if (queue_.flush(master_.get()) == base::WriteQueue::Outcome::failed) queue_.clear();
  update_interest();
}

void PtyTransport::update_interest() {
  if (!watch_) return;
  const event::Readiness wanted{!paused_ && !drained_, !queue_.empty() && !drained_};
  watch_->want(wanted);
}

void PtyTransport::finish_when_both_ended() {
  if (!exit_ || !events_.on_closed) return;
  if (!drained_) {
    // More than one piece is left (or reading is paused): the watch goes on and comes back here.
    return;
  }
  watch_.reset();
  Closed closed;
  closed.exit_code = exit_->code;
  if (exit_->signal != 0) closed.reason = std::string("ended by signal ") + strsignal(exit_->signal);
  auto report = std::move(events_.on_closed);
  events_ = {};
  report(std::move(closed));
}

void PtyTransport::resize(base::Size size) {
  const winsize wanted = to_winsize(size);
  ioctl(master_.get(), TIOCSWINSZ, &wanted);
}

void PtyTransport::pause_reading() {
  paused_ = true;
  update_interest();
}

void PtyTransport::resume_reading() {
  paused_ = false;
  update_interest();
}

bool PtyTransport::is_raw() const {
  termios mode{};
  return tcgetattr(master_.get(), &mode) == 0 && (mode.c_lflag & ICANON) == 0;
}

void PtyTransport::kill_all() {
  child_.kill_group(SIGKILL);
}

void PtyTransport::close() {
  child_.kill_group(SIGHUP);
}

}  // namespace transport
