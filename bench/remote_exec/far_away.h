#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "bench/remote_exec/typist.h"
#include "event/timer.h"
#include "tests/support/passing_transport.h"

namespace bench {

/// The same shell at the end of a longer wire: every message arrives `delay` later, each way.
class FarAway final : public support::PassingTransport {
 public:
  FarAway(event::EventLoop& loop, std::unique_ptr<Transport> inner, std::chrono::milliseconds delay);

  void start(Events events) override;
  void send(std::string_view bytes) override;

 private:
  void later(std::function<void()> arrive);
  void deliver();

  std::chrono::milliseconds delay_;
  std::deque<std::pair<Clock::time_point, std::function<void()>>> under_way_;
  event::Timer timer_;
};

}  // namespace bench
