#include "event/timer.h"

#include <utility>

namespace event {

Timer::Timer(EventLoop& loop) : handle_(new UvTimer(loop)) {
  uv_timer_init(loop.native(), &handle_->uv);
}

void Timer::start(std::chrono::milliseconds delay, std::function<void()> callback) {
  arm(delay, std::chrono::milliseconds(0), std::move(callback));
}

void Timer::repeat(std::chrono::milliseconds every, std::function<void()> callback) {
  arm(every, every, std::move(callback));
}

void Timer::arm(std::chrono::milliseconds delay, std::chrono::milliseconds every, std::function<void()> callback) {
  handle_->callback = std::make_shared<std::function<void()>>(std::move(callback));
  // libuv counts from the time at the start of the turn; a long turn must not shorten the delay.
  uv_update_time(handle_->loop->native());
  uv_timer_start(&handle_->uv, &UvTimer::dispatch, static_cast<std::uint64_t>(delay.count()),
                 static_cast<std::uint64_t>(every.count()));
}

void Timer::stop() {
  uv_timer_stop(&handle_->uv);
  handle_->callback.reset();
}

bool Timer::active() const {
  return uv_is_active(reinterpret_cast<const uv_handle_t*>(&handle_->uv)) != 0;
}

}  // namespace event
