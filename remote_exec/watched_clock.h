#pragma once

#include <chrono>

namespace remote_exec {

/// Time as far as we were there to see it.
///
/// Whoever waits for an answer looks at the clock before reading what has arrived. When the program was stopped,
/// starved or asleep with its laptop, the answer may be there already, unread; so time in which nothing was looked at
/// does not count.
class WatchedClock {
 public:
  using Steady = std::chrono::steady_clock;
  using time_point = Steady::time_point;
  using duration = Steady::duration;

  time_point now() const { return Steady::now() - missed_; }

  /// From here on `look` is called every few milliseconds.
  void start() { last_look_ = Steady::now(); }
  void look() {
    const auto now = Steady::now();
    const auto gap = now - last_look_;
    if (gap > kAttentive) missed_ += gap - kAttentive;
    last_look_ = now;
  }

 private:
  /// Twice the time between two looks; longer means that something kept us from looking.
  static constexpr std::chrono::milliseconds kAttentive{20};

  time_point last_look_ = Steady::now();
  duration missed_{0};
};

}  // namespace remote_exec
