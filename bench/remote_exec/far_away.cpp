#include "bench/remote_exec/far_away.h"

#include <utility>

namespace bench {

FarAway::FarAway(event::EventLoop& loop, std::unique_ptr<Transport> inner, std::chrono::milliseconds delay)
    : PassingTransport(std::move(inner)), delay_(delay), timer_(loop) {}

void FarAway::start(Events events) {
  auto on_bytes = std::move(events.on_bytes);
  events.on_bytes = [this, on_bytes](std::string_view bytes) {
    later([on_bytes, kept = std::string(bytes)] { on_bytes(kept); });
  };
  inner_->start(std::move(events));
}

void FarAway::send(std::string_view bytes) {
  later([this, kept = std::string(bytes)] { inner_->send(kept); });
}

void FarAway::later(std::function<void()> arrive) {
  under_way_.emplace_back(Clock::now() + delay_, std::move(arrive));
  if (under_way_.size() == 1) timer_.repeat(std::chrono::milliseconds(1), [this] { deliver(); });
}

void FarAway::deliver() {
  while (!under_way_.empty() && under_way_.front().first <= Clock::now()) {
    const auto arrive = std::move(under_way_.front().second);
    under_way_.pop_front();
    arrive();
  }
  if (under_way_.empty()) timer_.stop();
}

}  // namespace bench
