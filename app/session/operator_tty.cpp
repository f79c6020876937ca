#include "app/session/operator_tty.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace app {

OperatorTty::OperatorTty(event::EventLoop& loop, int fd, Events events)
    : fd_(fd),
      events_(std::move(events)),
      watch_(loop, fd, event::kRead, [this](event::Readiness ready) { on_ready(ready); }) {}

void OperatorTty::on_ready(event::Readiness ready) {
  if (ready.write) {
    flush();
    update_interest();
    if (queue_.empty() && events_.on_drained) events_.on_drained();
  }
  if (ready.read) read_input();
}

void OperatorTty::read_input() {
  std::array<char, 4096> buffer;
  const ssize_t count = ::read(fd_, buffer.data(), buffer.size());
  if (count > 0) {
    events_.on_input({buffer.data(), static_cast<std::size_t>(count)});
    return;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  gone_ = true;
  queue_.clear();
  update_interest();
  if (events_.on_gone) events_.on_gone();
}

void OperatorTty::write(std::string_view bytes) {
  if (gone_) return;
  const bool idle = queue_.empty();
  queue_.append(bytes);
  if (!idle) return;
  flush();
  update_interest();
}

void OperatorTty::flush() {
  // A failed write means the terminal is gone; reading reports that.
  if (queue_.flush(fd_) == base::WriteQueue::Outcome::failed) queue_.clear();
}

void OperatorTty::hold_input(bool held) {
  input_held_ = held;
  update_interest();
}

void OperatorTty::update_interest() {
  const event::Readiness wanted{!input_held_ && !gone_, !queue_.empty() && !gone_};
  watch_.want(wanted);
}

}  // namespace app
