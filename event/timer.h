#pragma once

#include <uv.h>

#include <chrono>
#include <functional>
#include <memory>

#include "event/event_loop.h"
#include "event/handle.h"

namespace event {

/// Calls back after a delay, once or again and again. Destroying it cancels.
class Timer {
 public:
  explicit Timer(EventLoop& loop);

  void start(std::chrono::milliseconds delay, std::function<void()> callback);
  void repeat(std::chrono::milliseconds every, std::function<void()> callback);
  void stop();
  bool active() const;

 private:
  void arm(std::chrono::milliseconds delay, std::chrono::milliseconds every, std::function<void()> callback);

  using UvTimer = Handle<uv_timer_t>;
  std::unique_ptr<UvTimer, UvTimer::Close> handle_;
};

}  // namespace event
