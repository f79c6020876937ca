#pragma once

#include <algorithm>
#include <chrono>

namespace transport {

/// How long a server has been silent while we could hear it. Time in which this process itself stood still (stopped,
/// starved of its processor) does not count: what came meanwhile lies unread in the socket, for timers run first.
class Silence {
 public:
  using Clock = std::chrono::steady_clock;

  /// `tick` is how often it is asked from `now` on, `dead` the silence that the owner takes for death.
  Silence(Clock::time_point now, Clock::duration tick, Clock::duration dead)
      : late_(tick + dead / 8), last_tick_(now) {}

  /// To be called at every tick.
  Clock::duration at_tick(Clock::time_point now, Clock::time_point last_heard) {
    if (now - last_tick_ > late_) excused_ = now;
    last_tick_ = now;
    return now - std::max(last_heard, excused_);
  }

 private:
  Clock::duration late_;  ///< A tick so long after the one before says that we stood still.
  Clock::time_point last_tick_;
  Clock::time_point excused_{};
};

}  // namespace transport
