#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>

#include "event/event_loop.h"
#include "event/timer.h"

namespace event {

/// A function with a stack of its own, which can pause in the middle and let the loop go on.
///
/// For conversations with C libraries that ask back from inside a call (libssh2's keyboard-interactive and signing
/// callbacks must answer before they return): the question reaches the operator while the call stays where it is. It
/// also lets a long sequence of steps read from top to bottom. Everything still runs on the one thread.
///
/// Destroying a fiber cancels it: its waits return `cancelled` at once and the body runs to its end.
class Fiber {
 public:
  enum class Woken { by_event, by_deadline, cancelled };

  Fiber(EventLoop& loop, std::function<void()> body);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Begins, or goes on after a wait, in the next turn of the loop. From anywhere, also from inside the fiber.
  void wake();
  /// Makes this wait and every later one return `cancelled`.
  void cancel();
  bool cancelled() const { return cancelled_; }
  bool done() const { return done_; }

  /// Inside only: pauses until wake(), at most for `limit`. A wake() since the last wait counts.
  Woken wait(std::optional<std::chrono::milliseconds> limit = std::nullopt);

  /// Inside only: runs `call` on the loop's own stack. The call may destroy the fiber; when cancelled it is left out.
  void run_outside(std::function<void()> call);

 private:
  struct Stack;

  void resume();
  void enter();
  void leave();
  void main();

  EventLoop& loop_;
  std::function<void()> body_;
  std::unique_ptr<Stack> stack_;
  Timer deadline_;
  std::function<void()> outside_;
  std::exception_ptr error_;
  bool waiting_ = true;  ///< Paused in wait(), or not begun yet.
  bool begun_ = false;
  bool woken_ = false;
  bool inside_ = false;
  bool cancelled_ = false;
  bool done_ = false;
  bool resume_planned_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace event
