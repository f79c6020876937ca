#pragma once

#include <functional>
#include <memory>

#include "base/unique_fd.h"
#include "event/event_loop.h"
#include "event/fd_watch.h"

namespace event {

/// Runs a call that cannot be made non-blocking (getaddrinfo, a key derivation) beside the loop.
///
/// The work must own everything it touches. Destroying the object abandons the work: `done` is not called, and nobody
/// waits for it, so that a slow name server never holds up a Ctrl+C. (libuv's own pool would: a loop cannot be closed
/// while a request is running.)
class Background {
 public:
  Background(EventLoop& loop, std::function<void()> work, std::function<void()> done);

 private:
  base::UniqueFd finished_;  ///< Readable when the work is over.
  FdWatch watch_;
};

}  // namespace event
