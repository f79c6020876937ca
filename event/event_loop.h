#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

struct uv_loop_s;

namespace event {

class Timer;

/// The one place where the program waits. Watches and timers register themselves on construction and unregister on
/// destruction; both are safe at any moment, also from inside their own callback.
///
/// Destroy every watch before its loop. An exception thrown by a callback ends run() and comes out of it.
class EventLoop {
 public:
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// Serves events until stop(), or until nothing is registered any more.
  void run();
  void stop();

  /// Serves events until `done` says so or `limit` has passed. True when `done`. For tests and for shutting down.
  bool run_until(const std::function<bool()>& done, std::chrono::milliseconds limit);

  /// Runs `callback` in the next turn of the loop; not at all when the loop ends before.
  void defer(std::function<void()> callback);

  /// Something that lives as long as the loop, one for each key; destroyed first, while the loop can still turn.
  void keep(const void* key, std::shared_ptr<void> companion) { companions_[key] = std::move(companion); }
  std::shared_ptr<void> kept(const void* key) const {
    const auto found = companions_.find(key);
    return found == companions_.end() ? nullptr : found->second;
  }

  /// For libraries that bring their own handles (libwebsockets).
  uv_loop_s* native() { return loop_.get(); }

  /// Keeps an exception that must not cross a C callback; run() throws it. Used by the watches.
  void fail_with(std::exception_ptr error);

 private:
  void rethrow();
  void run_deferred();

  std::unique_ptr<uv_loop_s> loop_;
  std::exception_ptr error_;
  std::vector<std::function<void()>> deferred_;
  std::unique_ptr<Timer> defer_timer_;
  std::map<const void*, std::shared_ptr<void>> companions_;
};

}  // namespace event
