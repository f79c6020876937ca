#include "app/target/fetch_secret.h"

#include <fcntl.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "base/one_line.h"
#include "base/unique_fd.h"
#include "base/words.h"
#include "event/child_process.h"
#include "event/deadline.h"
#include "event/fd_watch.h"

namespace app {
namespace {

constexpr std::size_t kMostSecret = 64 * 1024, kMostLastWords = 2000;
// What a command that was told to end gets before it is killed.
constexpr std::chrono::milliseconds kGrace{300};
// A grandchild that keeps the pipe open does not keep us.
constexpr std::chrono::milliseconds kLastBytes{200};

/// The read end of a pipe, emptied as bytes come.
class Catcher {
 public:
  base::Result<void> open(event::EventLoop& loop, event::Fiber& fiber, std::size_t most) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return base::fail_errno("opening a pipe");
    read_end_.reset(ends[0]);
    write_end_.reset(ends[1]);
    ::fcntl(read_end_.get(), F_SETFL, O_NONBLOCK);
    watch_.emplace(loop, read_end_.get(), event::kRead, [this, &fiber, most](event::Readiness) { read(fiber, most); });
    return {};
  }
  int write_end() const { return write_end_.get(); }
  void started() { write_end_.reset(); }
  bool ended() const { return !watch_; }
  transport::WipedText& caught() { return caught_; }

 private:
  void read(event::Fiber& fiber, std::size_t most) {
    std::array<char, 4096> buffer;
    const ssize_t count = ::read(read_end_.get(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count > 0 && caught_.text.size() < most)
      caught_.text.append(buffer.data(), std::min<std::size_t>(static_cast<std::size_t>(count), most));
    buffer.fill('\0');
    if (count > 0) return;
    watch_.reset();
    fiber.wake();
  }

  base::UniqueFd read_end_, write_end_;
  std::optional<event::FdWatch> watch_;
  transport::WipedText caught_;
};

/// Our terminal as it was: a command that is ended in the middle of a hidden question leaves it silent.
class TerminalKeeper {
 public:
  explicit TerminalKeeper(bool keep) : kept_(keep && ::tcgetattr(STDIN_FILENO, &before_) == 0) {}
  void restore() {
    if (kept_) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
  }

 private:
  termios before_{};
  bool kept_;
};

/// One run of a command that prints a secret.
class SecretFetch {
 public:
  SecretFetch(transport::ConnectionSetup& setup, std::string command, std::string name)
      : setup_(setup), command_(std::move(command)), name_(std::move(name)), at_terminal_(setup.terminal_is_free()) {}

  base::Result<std::string> run(std::chrono::milliseconds limit) {
    TerminalKeeper terminal(at_terminal_);
    if (auto launched = launch(); !launched) return base::fail(launched.error());
    const event::Deadline deadline(limit);
    while (!status_) {
      const auto woken = setup_.fiber().wait(deadline.left());
      if (woken == event::Fiber::Woken::by_event) continue;
      end_it();
      terminal.restore();
      if (woken == event::Fiber::Woken::cancelled) return base::fail("interrupted");
      return base::fail("`" + name_ + "` did not end within " + std::to_string(limit.count() / 1000) +
                        " s; run it by hand to see why");
    }
    const event::Deadline rest(kLastBytes);
    while (!out_.ended() && !rest.passed() && !setup_.fiber().cancelled()) setup_.fiber().wait(rest.left());
    if (status_->code != 0) {
      terminal.restore();
      return base::fail("`" + name_ + "` failed" + last_words() + "; run it by hand to see why");
    }
    std::string& text = out_.caught().text;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    if (text.empty()) return base::fail("`" + name_ + "` printed nothing; run it by hand to see why");
    return std::move(text);
  }

 private:
  base::Result<void> launch() {
    if (auto opened = out_.open(setup_.loop(), setup_.fiber(), kMostSecret); !opened) return opened;
    if (!at_terminal_)
      if (auto opened = err_.open(setup_.loop(), setup_.fiber(), kMostLastWords); !opened) return opened;
    event::ChildProcess::Spawn what;
    what.argv = {"/bin/sh", "-c", command_};
    what.stdout_fd = out_.write_end();
    what.stdin_fd = at_terminal_ ? STDIN_FILENO : -1;
    what.stderr_fd = at_terminal_ ? STDERR_FILENO : err_.write_end();
    what.our_group = at_terminal_;
    what.own_session = !at_terminal_;
    auto child = event::ChildProcess::spawn(setup_.loop(), what, [this](event::ExitStatus status) {
      status_ = status;
      setup_.fiber().wake();
    });
    if (!child) return base::fail(child.error());
    child_ = std::move(*child);
    out_.started();
    err_.started();
    return {};
  }

  void end_it() {
    send(SIGTERM);
    // The fiber may be cancelled, and then waits for nothing: the loop is told to finish the work.
    if (!setup_.fiber().cancelled()) {
      const event::Deadline grace(kGrace);
      while (!status_ && !grace.passed())
        if (setup_.fiber().wait(grace.left()) == event::Fiber::Woken::cancelled) break;
    }
    if (!status_) send(SIGKILL);
  }
  void send(int signal_number) { at_terminal_ ? child_->kill(signal_number) : child_->kill_group(signal_number); }

  std::string last_words() {
    if (at_terminal_) return "";
    const std::string words = base::one_line(base::trimmed(err_.caught().text), 300);
    return words.empty() ? "" : " (" + words + ")";
  }

  transport::ConnectionSetup& setup_;
  std::string command_, name_;
  bool at_terminal_;
  Catcher out_, err_;
  std::optional<event::ExitStatus> status_;
  std::unique_ptr<event::ChildProcess> child_;
};

}  // namespace

base::Result<std::string> fetch_secret(transport::ConnectionSetup& setup, const SecretSource& source,
                                       const std::string& setting, std::chrono::milliseconds limit) {
  if (source.command.empty()) return read_secret(source, setting);
  return SecretFetch(setup, source.command, setting + "_command").run(limit);
}

}  // namespace app
