#include "event/fiber.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "event/background.h"
#include "event/resolver.h"

namespace event {
namespace {

using std::chrono::milliseconds;

class FiberTest : public testing::Test {
 protected:
  bool run_until(const std::function<bool()>& done) { return loop_.run_until(done, milliseconds(5000)); }
  EventLoop loop_;
  std::string log_;
};

TEST_F(FiberTest, PausesInTheMiddleAndGoesOn) {
  Fiber* self = nullptr;
  Fiber fiber(loop_, [&] {
    log_ += "a";
    EXPECT_EQ(self->wait(), Fiber::Woken::by_event);
    log_ += "b";
  });
  self = &fiber;
  EXPECT_EQ(log_, "");
  fiber.wake();
  EXPECT_EQ(log_, "");  // Never inside the call.
  ASSERT_TRUE(run_until([&] { return log_ == "a"; }));
  fiber.wake();
  ASSERT_TRUE(run_until([&] { return fiber.done(); }));
  EXPECT_EQ(log_, "ab");
}

TEST_F(FiberTest, WaitEndsAtItsDeadline) {
  Fiber* self = nullptr;
  Fiber fiber(loop_, [&] { log_ = self->wait(milliseconds(5)) == Fiber::Woken::by_deadline ? "late" : "woken"; });
  self = &fiber;
  fiber.wake();
  // The wake that began it must not count as a wake during the wait.
  ASSERT_TRUE(run_until([&] { return fiber.done(); }));
  EXPECT_EQ(log_, "late");
}

TEST_F(FiberTest, DestroyingItRunsTheBodyToItsEnd) {
  struct Note {
    std::string& log;
    ~Note() { log += " cleaned"; }
  };
  Fiber* self = nullptr;
  auto fiber = std::make_unique<Fiber>(loop_, [&] {
    const Note note{log_};
    log_ += "begun";
    while (self->wait() != Fiber::Woken::cancelled) {
    }
  });
  self = fiber.get();
  fiber->wake();
  ASSERT_TRUE(run_until([&] { return log_ == "begun"; }));
  fiber.reset();
  EXPECT_EQ(log_, "begun cleaned");
}

TEST_F(FiberTest, OneThatNeverBeganIsSimplyGone) {
  {
    Fiber fiber(loop_, [&] { log_ = "ran"; });
  }
  EXPECT_EQ(log_, "");
}

TEST_F(FiberTest, ACallOutsideMayDestroyTheFiber) {
  std::unique_ptr<Fiber> fiber;
  Fiber* self = nullptr;
  fiber = std::make_unique<Fiber>(loop_, [&] {
    self->run_outside([&] { fiber.reset(); });
    log_ += self->cancelled() ? "cancelled" : "not cancelled";
  });
  self = fiber.get();
  fiber->wake();
  ASSERT_TRUE(run_until([&] { return !log_.empty(); }));
  EXPECT_EQ(log_, "cancelled");
}

TEST_F(FiberTest, AnExceptionComesOutOfTheLoop) {
  Fiber fiber(loop_, [] { throw std::runtime_error("broken"); });
  fiber.wake();
  EXPECT_THROW(run_until([&] { return false; }), std::runtime_error);
}

TEST_F(FiberTest, BackgroundWorkReportsOnTheLoop) {
  auto number = std::make_shared<int>(0);
  int seen = 0;
  Background work(
      loop_, [number] { *number = 42; }, [&, number] { seen = *number; });
  ASSERT_TRUE(run_until([&] { return seen == 42; }));
}

TEST_F(FiberTest, ResolverFindsLoopbackAndSaysWhatItDoesNotFind) {
  std::string address, error;
  Resolver good(loop_, "127.0.0.1", 22, AF_UNSPEC, [&](auto found) { address = found->front().text(); });
  Resolver bad(loop_, "no such host", 22, AF_UNSPEC, [&](auto found) { error = found.error().message; });
  ASSERT_TRUE(run_until([&] { return !address.empty() && !error.empty(); }));
  EXPECT_EQ(address, "127.0.0.1");
  EXPECT_NE(error.find("no such host"), std::string::npos);
}

}  // namespace
}  // namespace event
