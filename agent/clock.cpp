#include "agent/clock.h"

#include <utility>

#include "event/timer.h"

namespace agent {
namespace {

class TimerAlarm : public Clock::Alarm {
 public:
  TimerAlarm(event::EventLoop& loop, std::chrono::milliseconds delay, std::function<void()> callback) : timer_(loop) {
    timer_.start(delay, std::move(callback));
  }

 private:
  event::Timer timer_;
};

}  // namespace

std::unique_ptr<Clock::Alarm> LoopClock::after(std::chrono::milliseconds delay, std::function<void()> callback) {
  return std::make_unique<TimerAlarm>(loop_, delay, std::move(callback));
}

}  // namespace agent
