#pragma once

#include <uv.h>

#include <functional>
#include <memory>

#include "event/event_loop.h"
#include "event/handle.h"

namespace event {

/// What a descriptor is watched for, and what it turned out to be ready for.
struct Readiness {
  bool read = false;
  bool write = false;

  friend bool operator==(const Readiness&, const Readiness&) = default;
};

inline constexpr Readiness kRead{true, false};
inline constexpr Readiness kWrite{false, true};
inline constexpr Readiness kReadWrite{true, true};
inline constexpr Readiness kNothing{false, false};

/// Tells when a descriptor can be read or written. The descriptor stays the owner's and must outlive the watch.
/// At most one watch per descriptor. Errors and hang-ups are reported as readable: the next read tells.
class FdWatch {
 public:
  FdWatch(EventLoop& loop, int fd, Readiness wanted, std::function<void(Readiness)> callback);

  void want(Readiness wanted);

 private:
  void start(Readiness wanted);

  using UvPoll = Handle<uv_poll_t, Readiness>;
  std::unique_ptr<UvPoll, UvPoll::Close> handle_;
  Readiness wanted_;
};

}  // namespace event
