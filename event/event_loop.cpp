#include "event/event_loop.h"

#include <uv.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "event/handle.h"
#include "event/timer.h"

namespace event {
namespace {

/// Keeps a turn from blocking when what it waits for came true in a timer at its beginning: libuv runs due timers, then
/// waits for descriptors all the same.
class DoneCheck {
 public:
  DoneCheck(uv_loop_t* loop, const std::function<bool()>& done) : handle_(new uv_prepare_t{}) {
    uv_prepare_init(loop, handle_);
    handle_->data = const_cast<std::function<bool()>*>(&done);
    uv_prepare_start(handle_, [](uv_prepare_t* handle) {
      if ((*static_cast<const std::function<bool()>*>(handle->data))()) uv_stop(handle->loop);
    });
  }
  ~DoneCheck() {
    uv_prepare_stop(handle_);
    uv_close(reinterpret_cast<uv_handle_t*>(handle_),
             [](uv_handle_t* closed) { delete reinterpret_cast<uv_prepare_t*>(closed); });
  }
  DoneCheck(const DoneCheck&) = delete;
  DoneCheck& operator=(const DoneCheck&) = delete;

 private:
  uv_prepare_t* handle_;
};

}  // namespace

EventLoop::EventLoop() : loop_(std::make_unique<uv_loop_t>()) {
  if (const int status = uv_loop_init(loop_.get()); status != 0)
    throw std::runtime_error(std::string("cannot start the event loop: ") + uv_strerror(status));
}

EventLoop::~EventLoop() {
  // What was deferred and never ran may hold watches and timers of this loop, which would keep it going.
  while (!deferred_.empty()) std::exchange(deferred_, {}).clear();
  companions_.clear();
  defer_timer_.reset();
  // Handles closed last still need a turn to be freed.
  while (uv_loop_close(loop_.get()) == UV_EBUSY) uv_run(loop_.get(), UV_RUN_ONCE);
}

void EventLoop::run() {
  uv_run(loop_.get(), UV_RUN_DEFAULT);
  rethrow();
}

void EventLoop::stop() {
  uv_stop(loop_.get());
}

bool EventLoop::run_until(const std::function<bool()>& done, std::chrono::milliseconds limit) {
  Timer deadline(*this);
  bool late = false;
  deadline.start(limit, [&late] { late = true; });
  const std::function<bool()> over = [&] { return late || done(); };
  const DoneCheck check(loop_.get(), over);
  while (!over()) {
    uv_run(loop_.get(), UV_RUN_ONCE);
    rethrow();
  }
  return done();
}

void EventLoop::defer(std::function<void()> callback) {
  if (!defer_timer_) defer_timer_ = std::make_unique<Timer>(*this);
  deferred_.push_back(std::move(callback));
  if (deferred_.size() == 1) defer_timer_->start(std::chrono::milliseconds(0), [this] { run_deferred(); });
}

void EventLoop::run_deferred() {
  // What these defer in turn waits for the turn after.
  for (auto& callback : std::exchange(deferred_, {})) callback();
}

void EventLoop::fail_with(std::exception_ptr error) {
  if (!error_) error_ = std::move(error);
  stop();
}

void EventLoop::rethrow() {
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace event
