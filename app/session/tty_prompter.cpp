#include "app/session/tty_prompter.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "base/one_line.h"

namespace app {
namespace {}  // namespace

TtyPrompter::TtyPrompter(event::EventLoop& loop)
    : loop_(loop),
      tty_(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)),
      question_([this](std::string_view text) { write(text); }) {}

TtyPrompter::~TtyPrompter() {
  clear();
  leave();
}

void TtyPrompter::ask(const transport::SshQuestion& question, Reply reply) {
  if (!there()) return reply(std::nullopt);
  clear();
  enter();
  question_.ask(question, [this, reply = std::move(reply)](std::optional<transport::Secret> text) {
    leave();
    const Reply call = reply;  // It may ask the next question, which replaces this one.
    call(std::move(text));
  });
  if (!ahead_.empty()) ahead_ = std::string(question_.type(std::exchange(ahead_, {})));
}

void TtyPrompter::withdraw() {
  question_.withdraw();
  leave();
}

void TtyPrompter::tell(const std::string& what) {
  if (!there() || !isatty(STDERR_FILENO)) return;
  write(std::string(kClearLine) + "jms: " + base::one_line(what, 300));
  told_ = true;
}

void TtyPrompter::clear() {
  if (std::exchange(told_, false)) write(kClearLine);
}

void TtyPrompter::write(std::string_view text) {
  while (!text.empty() && tty_) {
    const ssize_t count = ::write(tty_.get(), text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void TtyPrompter::enter() {
  if (std::exchange(raw_, true)) return;
  tcgetattr(tty_.get(), &before_);
  termios quiet = before_;
  quiet.c_lflag &= static_cast<tcflag_t>(~(ECHO | ICANON | ISIG | IEXTEN));
  quiet.c_cc[VMIN] = 1;
  quiet.c_cc[VTIME] = 0;
  tcsetattr(tty_.get(), TCSADRAIN, &quiet);
  watch_ = std::make_unique<event::FdWatch>(loop_, tty_.get(), event::kRead, [this](event::Readiness) { read(); });
}

void TtyPrompter::leave() {
  if (!std::exchange(raw_, false)) return;
  watch_.reset();
  tcsetattr(tty_.get(), TCSADRAIN, &before_);
}

void TtyPrompter::read() {
  std::array<char, 1024> keys;
  const ssize_t count = ::read(tty_.get(), keys.data(), keys.size());
  // The terminal went away: as if the operator had declined.
  const std::string_view typed = count > 0 ? std::string_view(keys.data(), static_cast<std::size_t>(count)) : "\x03";
  ahead_ += question_.type(typed);
  keys.fill('\0');
}

}  // namespace app
