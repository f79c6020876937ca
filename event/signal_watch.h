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

  /// For a watch in the background: it alone does not keep EventLoop::run() going.
  void does_not_hold_the_loop() { uv_unref(reinterpret_cast<uv_handle_t*>(&handle_->uv)); }

 private:
  using UvSignal = Handle<uv_signal_t>;
  std::unique_ptr<UvSignal, UvSignal::Close> handle_;
};

}  // namespace event
