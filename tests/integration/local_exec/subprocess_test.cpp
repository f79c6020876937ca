#include "local_exec/subprocess.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/process_info.h"

namespace local_exec {
namespace {

using std::chrono::milliseconds;

class SubprocessTest : public testing::Test {
 protected:
  void start(Subprocess::Options options) {
    auto started = Subprocess::start(loop_, std::move(options),
                                     {[this](std::string_view bytes) { live_ += bytes; },
                                      [this](CommandResult result) { result_ = std::move(result); }});
    ASSERT_TRUE(started) << started.error().message;
    process_ = std::move(*started);
  }
  bool wait_done() {
    return loop_.run_until([this] { return result_.has_value(); }, milliseconds(10'000));
  }

  event::EventLoop loop_;
  std::unique_ptr<Subprocess> process_;
  std::string live_;
  std::optional<CommandResult> result_;
};

TEST_F(SubprocessTest, MergesBothStreamsInOrder) {
  start({.command = "echo one; echo two >&2; echo three; exit 4"});
  ASSERT_TRUE(wait_done());
  EXPECT_EQ(result_->output, "one\ntwo\nthree\n");
  EXPECT_EQ(live_, result_->output);
  EXPECT_EQ(result_->exit_code, 4);
}

TEST_F(SubprocessTest, HasNothingToReadAndNoTerminal) {
  start({.command = "cat; test -t 0 || echo no tty"});
  ASSERT_TRUE(wait_done());
  EXPECT_EQ(result_->output, "no tty\n");
}

TEST_F(SubprocessTest, KeepsHeadAndTailOfALongOutput) {
  start({.command = "seq 1 100000", .kept_bytes = 200});
  ASSERT_TRUE(wait_done());
  EXPECT_TRUE(result_->truncated);
  EXPECT_TRUE(result_->output.starts_with("1\n2\n"));
  EXPECT_TRUE(result_->output.ends_with("99999\n100000\n"));
  EXPECT_EQ(result_->total_bytes, 588'895u);
}

TEST_F(SubprocessTest, TimesOutAndStopsTheWholeGroup) {
  start({.command = "sleep 1000 & sleep 1000", .timeout = milliseconds(50)});
  ASSERT_TRUE(wait_done());
  EXPECT_TRUE(result_->timed_out);
  EXPECT_FALSE(result_->exit_code);
}

TEST_F(SubprocessTest, StoppingItTakesItsBackgroundJobsAlong) {
  // A shell lets such a job ignore Ctrl-C before it becomes the program.
  start({.command = "sleep 1000 > /dev/null & until grep -q sleep /proc/$!/comm; do :; done; echo $!; wait"});
  ASSERT_TRUE(loop_.run_until([this] { return live_.ends_with('\n'); }, milliseconds(10'000)));
  const int job = std::stoi(live_);
  process_->stop();
  ASSERT_TRUE(wait_done());
  EXPECT_EQ(result_->signal, SIGINT);
  EXPECT_TRUE(support::process_ends_within(job, milliseconds(10'000)));
}

TEST_F(SubprocessTest, EscalatesUntilAStubbornCommandIsGone) {
  start({.command = "trap '' INT TERM; echo ready; while :; do sleep 0.05; done", .escalation = milliseconds(50)});
  ASSERT_TRUE(loop_.run_until([this] { return live_ == "ready\n"; }, milliseconds(10'000)));
  process_->stop();
  ASSERT_TRUE(wait_done());
  EXPECT_EQ(result_->signal, SIGKILL);
}

TEST_F(SubprocessTest, IsNotKeptByAGrandchildThatHoldsThePipe) {
  start({.command = "setsid sleep 30 & echo done"});
  ASSERT_TRUE(wait_done());
  EXPECT_EQ(result_->output, "done\n");
  EXPECT_LT(result_->duration, milliseconds(5'000));
}

// The command has ended and a job that left its group holds the pipe: nothing is left to be stopped, or to be late.
TEST_F(SubprocessTest, IsNotKeptByAGrandchildThatHoldsThePipeWhenItIsStoppedThen) {
  start({.command = "setsid sleep 30 & echo $$", .escalation = milliseconds(1)});
  ASSERT_TRUE(loop_.run_until([this] { return live_.ends_with('\n'); }, milliseconds(10'000)));
  ASSERT_TRUE(support::process_ends_within(std::stoi(live_), milliseconds(10'000)));
  // One turn for its end to be seen; the last words are waited for much longer.
  loop_.run_until([] { return false; }, milliseconds(20));
  process_->stop();
  ASSERT_TRUE(wait_done());
  EXPECT_EQ(result_->exit_code, 0);
}

TEST_F(SubprocessTest, ACommandThatEndedInTimeIsNotLateWhileItsLastWordsAreAwaited) {
  start({.command = "setsid sleep 30 & sleep 0.2; echo done", .timeout = milliseconds(300)});
  ASSERT_TRUE(wait_done());
  // On a busy machine it may really be late.
  EXPECT_TRUE(result_->timed_out || result_->exit_code == 0);
}

TEST_F(SubprocessTest, DestroyingItLeavesNoZombie) {
  start({.command = "echo $$; sleep 1000"});
  ASSERT_TRUE(loop_.run_until([this] { return live_.ends_with('\n'); }, milliseconds(10'000)));
  const pid_t child = std::stoi(live_);
  process_.reset();
  EXPECT_TRUE(loop_.run_until([&] { return ::kill(child, 0) != 0; }, milliseconds(10'000)));
}

TEST_F(SubprocessTest, DestroyingItCancelsWithoutAReport) {
  start({.command = "echo ready; sleep 1000"});
  ASSERT_TRUE(loop_.run_until([this] { return !live_.empty(); }, milliseconds(10'000)));
  process_.reset();
  EXPECT_FALSE(loop_.run_until([this] { return result_.has_value(); }, milliseconds(50)));
}

}  // namespace
}  // namespace local_exec
