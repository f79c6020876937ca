#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "event/event_loop.h"

namespace agent {

/// Time as the agent sees it, so that a test of the agent needs none.
class Clock {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// One pending call. Destroying it cancels; safe inside the call itself.
  class Alarm {
   public:
    virtual ~Alarm() = default;
  };

  virtual ~Clock() = default;
  virtual Time now() const = 0;

  /// Calls back once, later, from the event loop. A delay of zero is the next turn of the loop.
  [[nodiscard]] virtual std::unique_ptr<Alarm> after(std::chrono::milliseconds delay,
                                                     std::function<void()> callback) = 0;
};

/// The event loop's time.
class LoopClock : public Clock {
 public:
  explicit LoopClock(event::EventLoop& loop) : loop_(loop) {}

  Time now() const override { return std::chrono::steady_clock::now(); }
  std::unique_ptr<Alarm> after(std::chrono::milliseconds delay, std::function<void()> callback) override;

 private:
  event::EventLoop& loop_;
};

}  // namespace agent
