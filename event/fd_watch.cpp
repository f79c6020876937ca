#include "event/fd_watch.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace event {

FdWatch::FdWatch(EventLoop& loop, int fd, Readiness wanted, std::function<void(Readiness)> callback) {
  auto fresh = std::make_unique<UvPoll>(loop);
  // A handle that failed to start must not be closed; only from here on does Close own it.
  if (const int status = uv_poll_init(loop.native(), &fresh->uv, fd); status != 0)
    throw std::runtime_error("cannot watch descriptor " + std::to_string(fd) + ": " + uv_strerror(status));
  handle_.reset(fresh.release());
  handle_->callback = std::make_shared<UvPoll::Callback>(std::move(callback));
  start(wanted);
}

/// Starting anew drops what the loop has already seen of this descriptor: whoever asks for the same again and again, as
/// a flood passes, would never hear of it.
void FdWatch::want(Readiness wanted) {
  if (!(wanted == wanted_)) start(wanted);
}

void FdWatch::start(Readiness wanted) {
  wanted_ = wanted;
  const int events = (wanted.read ? UV_READABLE : 0) | (wanted.write ? UV_WRITABLE : 0);
  if (events == 0) {
    uv_poll_stop(&handle_->uv);
    return;
  }
  uv_poll_start(&handle_->uv, events, [](uv_poll_t* uv, int status, int ready) {
    const Readiness found = status < 0 ? kRead : Readiness{(ready & UV_READABLE) != 0, (ready & UV_WRITABLE) != 0};
    UvPoll::dispatch(uv, found);
  });
}

}  // namespace event
