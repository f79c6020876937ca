#include "event/fiber.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define JMS_FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define JMS_FIBER_ASAN 1
#endif
#endif

#ifdef JMS_FIBER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace event {
namespace {

constexpr std::size_t kStackSize = 512 * 1024;  // Touched pages count only; sanitized frames are large.

}  // namespace

/// The memory a fiber runs on, with a guard page below, and the two places it switches between.
struct Fiber::Stack {
  void* memory = nullptr;
  ucontext_t inside{};
  ucontext_t outside{};
  void* inside_fake = nullptr;
  void* outside_fake = nullptr;
  const void* outside_bottom = nullptr;
  std::size_t outside_size = 0;

  Stack() {
    memory = mmap(nullptr, kStackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), PROT_NONE);
  }
  ~Stack() { munmap(memory, kStackSize); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
};

Fiber::Fiber(EventLoop& loop, std::function<void()> body)
    : loop_(loop), body_(std::move(body)), stack_(std::make_unique<Stack>()), deadline_(loop) {
  getcontext(&stack_->inside);
  stack_->inside.uc_stack.ss_sp = stack_->memory;
  stack_->inside.uc_stack.ss_size = kStackSize;
  stack_->inside.uc_link = nullptr;
  // makecontext passes ints only; the pointer travels in two halves.
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  void (*entry)(unsigned, unsigned) = [](unsigned high, unsigned low) {
    reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(high) << 32 | low)->main();
  };
  makecontext(&stack_->inside, reinterpret_cast<void (*)()>(entry), 2, static_cast<unsigned>(self >> 32),
              static_cast<unsigned>(self));
}

Fiber::~Fiber() {
  alive_.reset();
  cancelled_ = true;
  // One that has not begun has nothing to clean up. From a pause each entry goes on at once, now that it is cancelled.
  while (begun_ && !done_) {
    outside_ = nullptr;
    enter();
  }
}

void Fiber::main() {
#ifdef JMS_FIBER_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &stack_->outside_bottom, &stack_->outside_size);
#endif
  woken_ = false;  // That one began it.
  try {
    body_();
  } catch (...) {
    error_ = std::current_exception();
  }
  done_ = true;
  leave();
}

void Fiber::enter() {
  inside_ = true;
#ifdef JMS_FIBER_ASAN
  __sanitizer_start_switch_fiber(&stack_->outside_fake, stack_->memory, kStackSize);
#endif
  swapcontext(&stack_->outside, &stack_->inside);
#ifdef JMS_FIBER_ASAN
  __sanitizer_finish_switch_fiber(stack_->outside_fake, nullptr, nullptr);
#endif
  inside_ = false;
}

void Fiber::leave() {
#ifdef JMS_FIBER_ASAN
  __sanitizer_start_switch_fiber(done_ ? nullptr : &stack_->inside_fake, stack_->outside_bottom, stack_->outside_size);
#endif
  swapcontext(&stack_->inside, &stack_->outside);
#ifdef JMS_FIBER_ASAN
  __sanitizer_finish_switch_fiber(stack_->inside_fake, &stack_->outside_bottom, &stack_->outside_size);
#endif
}

void Fiber::wake() {
  woken_ = true;
  if (resume_planned_ || done_) return;
  resume_planned_ = true;
  loop_.defer([this, alive = std::weak_ptr<bool>(alive_)] {
    if (alive.expired()) return;
    resume_planned_ = false;
    if (waiting_ && woken_) resume();
  });
}

void Fiber::cancel() {
  cancelled_ = true;
  wake();
}

void Fiber::resume() {
  if (done_ || inside_) return;
  begun_ = true;
  waiting_ = false;
  deadline_.stop();
  const std::weak_ptr<bool> alive = alive_;
  enter();
  while (auto call = std::exchange(outside_, nullptr)) {
    call();
    if (alive.expired()) return;
    enter();
  }
  if (error_) loop_.fail_with(std::exchange(error_, nullptr));
}

Fiber::Woken Fiber::wait(std::optional<std::chrono::milliseconds> limit) {
  if (!woken_ && !cancelled_) {
    waiting_ = true;
    if (limit) deadline_.start(*limit, [this] { resume(); });
    leave();
    waiting_ = false;
  }
  if (cancelled_) return Woken::cancelled;
  if (std::exchange(woken_, false)) return Woken::by_event;
  return Woken::by_deadline;
}

void Fiber::run_outside(std::function<void()> call) {
  if (cancelled_) return;
  outside_ = std::move(call);
  leave();
}

}  // namespace event
