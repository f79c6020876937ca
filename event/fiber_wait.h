#pragma once

#include "event/deadline.h"
#include "event/fd_watch.h"
#include "event/fiber.h"

namespace event {

/// Inside a fiber: waits until `fd` is ready, the deadline has passed or the fiber was cancelled. May also return
/// `by_event` early, when somebody else woke the fiber: try again and come back.
inline Fiber::Woken wait_ready(EventLoop& loop, Fiber& fiber, int fd, Readiness wanted, const Deadline& deadline) {
  if (deadline.passed()) return Fiber::Woken::by_deadline;
  const FdWatch watch(loop, fd, wanted, [&](Readiness) { fiber.wake(); });
  return fiber.wait(deadline.left());
}

}  // namespace event
