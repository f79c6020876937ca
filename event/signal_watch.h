#pragma once

#include <uv.h>

#include <functional>
#include <memory>

#include "event/event_loop.h"
#include "event/handle.h"

namespace event {

/// Calls back, from the loop and not from a handler, each time the process gets `signal_number`.
class SignalWatch {
 public:
  SignalWatch(EventLoop& loop, int signal_number, std::function<void()> callback);

 private:
  using UvSignal = Handle<uv_signal_t>;
  std::unique_ptr<UvSignal, UvSignal::Close> handle_;
};

}  // namespace event
