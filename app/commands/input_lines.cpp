#include "app/commands/input_lines.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <utility>

namespace app {

InputLines::InputLines(event::EventLoop& loop, int fd) : loop_(loop), fd_(fd) {
  const int flags = ::fcntl(fd_, F_GETFL);
  try {
    watch_.emplace(loop_, fd_, event::kNothing, [this](event::Readiness) {
      read();
      loop_.stop();
    });
  } catch (const std::runtime_error&) {
    // A file or /dev/null cannot be watched, and need not be: reading it never waits.
  }
  // The watch made it non-blocking for everybody who shares it, also for who reads after us. It is read when it is
  // ready, so that is not needed.
  if (flags >= 0) ::fcntl(fd_, F_SETFL, flags);
}

std::optional<std::string> InputLines::next() {
  const auto end = buffer_.find('\n', searched_);
  if (end == std::string::npos) {
    searched_ = buffer_.size();
    if (!ended_ || buffer_.empty()) return std::nullopt;
    searched_ = 0;
    return std::exchange(buffer_, {});
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  searched_ = 0;
  return line;
}

void InputLines::wait() {
  if (!watch_) return read();
  watch_->want(event::kRead);
  loop_.run();
  // While a command runs the next lines stay where they are.
  watch_->want(event::kNothing);
}

void InputLines::read() {
  std::array<char, 16 * 1024> bytes;
  const ssize_t count = ::read(fd_, bytes.data(), bytes.size());
  if (count > 0)
    buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  else
    ended_ = count == 0 || (errno != EAGAIN && errno != EINTR);
}

}  // namespace app
