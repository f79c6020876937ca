#include "event/event_loop.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <memory>
#include <stdexcept>

#include "base/unique_fd.h"
#include "event/child_process.h"
#include "event/fd_watch.h"
#include "event/signal_watch.h"
#include "event/timer.h"

namespace event {
namespace {

using std::chrono::milliseconds;

TEST(EventLoop, RunsDeferredWorkInTheNextTurnInOrder) {
  EventLoop loop;
  std::string order;
  loop.defer([&] {
    order += 'a';
    loop.defer([&] { order += 'c'; });
  });
  loop.defer([&] { order += 'b'; });
  EXPECT_EQ(order, "");
  loop.run();
  EXPECT_EQ(order, "abc");
}

TEST(EventLoop, RunUntilKeepsItsLimitThoughItHasPassedBeforeTheFirstTurn) {
  EventLoop loop;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const base::UniqueFd silent(ends[0]), other(ends[1]);
  const FdWatch watch(loop, silent.get(), kRead, [](Readiness) {});
  EXPECT_FALSE(loop.run_until([] { return false; }, milliseconds(0)));
}

TEST(EventLoop, RunUntilReturnsAtOnceWhenATimerHasDoneIt) {
  EventLoop loop;
  Timer timer(loop);
  bool done = false;
  timer.start(milliseconds(0), [&] { done = true; });
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_TRUE(loop.run_until([&] { return done; }, milliseconds(10'000)));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, milliseconds(5000));
}

TEST(EventLoop, LetsAnExceptionOfACallbackOutOfRun) {
  EventLoop loop;
  loop.defer([] { throw std::runtime_error("from a callback"); });
  EXPECT_THROW(loop.run(), std::runtime_error);
}

TEST(EventLoop, EndsAtOnceThoughDeferredWorkHoldsATimer) {
  const auto began = std::chrono::steady_clock::now();
  {
    EventLoop loop;
    auto timer = std::make_shared<Timer>(loop);
    timer->start(milliseconds(20'000), [] {});
    loop.defer([timer] {});
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, milliseconds(5'000));
}

TEST(EventLoop, DropsDeferredWorkThatNeverGotItsTurn) {
  bool ran = false;
  {
    EventLoop loop;
    loop.defer([&] { ran = true; });
  }
  EXPECT_FALSE(ran);
}

TEST(Timer, MayDestroyItselfInItsCallback) {
  EventLoop loop;
  auto timer = std::make_unique<Timer>(loop);
  int calls = 0;
  timer->repeat(milliseconds(1), [&] {
    ++calls;
    timer.reset();
  });
  loop.run();
  EXPECT_EQ(calls, 1);
}

TEST(Timer, MayBeRestartedFromItsCallback) {
  EventLoop loop;
  Timer timer(loop);
  int calls = 0;
  std::function<void()> again = [&] {
    if (++calls < 3) timer.start(milliseconds(0), again);
  };
  timer.start(milliseconds(0), again);
  loop.run();
  EXPECT_EQ(calls, 3);
}

struct Pipe {
  base::UniqueFd read_end, write_end;
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    read_end.reset(ends[0]);
    write_end.reset(ends[1]);
  }
};

TEST(FdWatch, ReportsReadableAndMayDestroyItself) {
  EventLoop loop;
  Pipe pipe;
  std::unique_ptr<FdWatch> watch;
  int calls = 0;
  watch = std::make_unique<FdWatch>(loop, pipe.read_end.get(), kRead, [&](Readiness ready) {
    EXPECT_TRUE(ready.read);
    ++calls;
    watch.reset();
  });
  ASSERT_EQ(::write(pipe.write_end.get(), "x", 1), 1);
  loop.run();
  EXPECT_EQ(calls, 1);
}

TEST(FdWatch, WhoIsAskedForTheSameAgainInAFloodIsStillHeard) {
  EventLoop loop;
  Pipe flood, quiet;
  ASSERT_EQ(::write(flood.write_end.get(), "x", 1), 1);
  ASSERT_EQ(::write(quiet.write_end.get(), "x", 1), 1);
  int turns = 0;
  bool heard = false;
  std::unique_ptr<FdWatch> other;
  const FdWatch busy(loop, flood.read_end.get(), kRead, [&](Readiness) {
    other->want(kRead);
    if (++turns == 1000) loop.stop();
  });
  other = std::make_unique<FdWatch>(loop, quiet.read_end.get(), kRead, [&](Readiness) {
    heard = true;
    loop.stop();
  });
  loop.run();
  EXPECT_TRUE(heard);
}

TEST(FdWatch, OneReadyWatchMayDestroyAnotherThatIsReadyToo) {
  EventLoop loop;
  Pipe first, second;
  ASSERT_EQ(::write(first.write_end.get(), "x", 1), 1);
  ASSERT_EQ(::write(second.write_end.get(), "x", 1), 1);
  std::unique_ptr<FdWatch> a, b;
  int calls = 0;
  const auto once = [&](Readiness) {
    ++calls;
    a.reset();
    b.reset();
  };
  a = std::make_unique<FdWatch>(loop, first.read_end.get(), kRead, once);
  b = std::make_unique<FdWatch>(loop, second.read_end.get(), kRead, once);
  loop.run();
  EXPECT_EQ(calls, 1);
}

TEST(FdWatch, RefusesADescriptorThatCannotBeWatched) {
  EventLoop loop;
  EXPECT_THROW(FdWatch(loop, 987, kRead, [](Readiness) {}), std::runtime_error);
}

TEST(SignalWatch, ReportsFromTheLoop) {
  EventLoop loop;
  int calls = 0;
  SignalWatch watch(loop, SIGUSR1, [&] { ++calls; });
  ::kill(::getpid(), SIGUSR1);
  EXPECT_TRUE(loop.run_until([&] { return calls == 1; }, milliseconds(5000)));
}

TEST(ChildProcess, ReportsExitCodeAndSignal) {
  EventLoop loop;
  std::optional<ExitStatus> coded, killed;
  auto first = ChildProcess::spawn(loop, {.argv = {"sh", "-c", "exit 7"}}, [&](ExitStatus end) { coded = end; });
  auto second =
      ChildProcess::spawn(loop, {.argv = {"sh", "-c", "kill -TERM $$"}}, [&](ExitStatus end) { killed = end; });
  ASSERT_TRUE(first && second);
  ASSERT_TRUE(loop.run_until([&] { return coded && killed; }, milliseconds(5000)));
  EXPECT_EQ(coded->code, 7);
  EXPECT_EQ(killed->signal, SIGTERM);
  EXPECT_EQ(killed->code, 128 + SIGTERM);
}

TEST(ChildProcess, NamesTheProgramThatDoesNotExist) {
  EventLoop loop;
  const auto child = ChildProcess::spawn(loop, {.argv = {"/no/such/program"}}, nullptr);
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().message, "starting /no/such/program: No such file or directory");
}

TEST(ChildProcess, KillsTheWholeGroup) {
  EventLoop loop;
  Pipe pipe;
  std::optional<ExitStatus> end;
  auto child =
      ChildProcess::spawn(loop, {.argv = {"sh", "-c", "sleep 1000 & echo; wait"}, .stdout_fd = pipe.write_end.get()},
                          [&](ExitStatus status) { end = status; });
  ASSERT_TRUE(child);
  pipe.write_end.reset();
  char byte;
  ASSERT_EQ(::read(pipe.read_end.get(), &byte, 1), 1);
  (*child)->kill_group(SIGKILL);
  ASSERT_TRUE(loop.run_until([&] { return end.has_value(); }, milliseconds(5000)));
  // The pipe ends only when the sleeping grandchild, which holds it too, is gone.
  EXPECT_EQ(::read(pipe.read_end.get(), &byte, 1), 0);
}

}  // namespace
}  // namespace event
