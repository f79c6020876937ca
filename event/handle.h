#pragma once

// How every watch holds its libuv handle. libuv needs the memory until its close callback has run, so the handle and
// the operator's callback live together on the heap; the watch only points at them. Private to event/.

#include <uv.h>

#include <functional>
#include <memory>
#include <utility>

#include "event/event_loop.h"

namespace event {

template <typename UvHandle, typename... Args>
struct Handle {
  using Callback = std::function<void(Args...)>;

  UvHandle uv{};
  EventLoop* loop = nullptr;
  std::shared_ptr<Callback> callback;

  explicit Handle(EventLoop& owner) : loop(&owner) { uv.data = this; }

  /// Called from the C trampoline. Holds its own reference: the callback may destroy the watch, and so itself.
  static void dispatch(UvHandle* uv_handle, Args... args) {
    auto* self = static_cast<Handle*>(uv_handle->data);
    const auto held = self->callback;
    if (!held || !*held) return;
    EventLoop* loop = self->loop;
    try {
      (*held)(args...);
    } catch (...) {
      loop->fail_with(std::current_exception());
    }
  }

  /// Deleter: stops the handle now, frees it when libuv lets go.
  struct Close {
    void operator()(Handle* handle) const noexcept {
      handle->callback.reset();
      uv_close(reinterpret_cast<uv_handle_t*>(&handle->uv),
               [](uv_handle_t* closed) { delete static_cast<Handle*>(closed->data); });
    }
  };
};

}  // namespace event
