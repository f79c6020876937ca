#include "event/signal_watch.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace event {

SignalWatch::SignalWatch(EventLoop& loop, int signal_number, std::function<void()> callback)
    : handle_(new UvSignal(loop)) {
  uv_signal_init(loop.native(), &handle_->uv);
  handle_->callback = std::make_shared<UvSignal::Callback>(std::move(callback));
  const int status = uv_signal_start(
      &handle_->uv, [](uv_signal_t* uv, int) { UvSignal::dispatch(uv); }, signal_number);
  if (status != 0)
    throw std::runtime_error("cannot watch signal " + std::to_string(signal_number) + ": " + uv_strerror(status));
}

}  // namespace event
