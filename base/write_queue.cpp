#include "base/write_queue.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace base {
namespace {

// A queue that once held a flood gives its memory back.
constexpr std::size_t kKeptCapacity = 256 * 1024;

}  // namespace

WriteQueue::Outcome WriteQueue::flush(int fd, Sink sink) {
  while (!empty()) {
    const ssize_t count = sink == Sink::socket ? ::send(fd, bytes_.data() + written_, size(), MSG_NOSIGNAL)
                                               : ::write(fd, bytes_.data() + written_, size());
    if (count < 0) {
      if (errno == EINTR) continue;
      return errno == EAGAIN || errno == EWOULDBLOCK ? Outcome::would_block : Outcome::failed;
    }
    written_ += static_cast<std::size_t>(count);
  }
  clear();
  return Outcome::empty;
}

void WriteQueue::clear() {
  if (bytes_.capacity() > kKeptCapacity)
    std::string().swap(bytes_);
  else
    bytes_.clear();
  written_ = 0;
}

}  // namespace base
