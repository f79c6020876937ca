#include "transport/pty_transport.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace transport {
namespace {

using std::chrono::milliseconds;

class PtyTransportTest : public testing::Test {
 protected:
  void launch(std::vector<std::string> argv, base::Size size = {24, 80}) {
    auto launched = PtyTransport::launch(loop_, {.argv = std::move(argv), .environment = {"MARK=kept"}, .size = size});
    ASSERT_TRUE(launched) << launched.error().message;
    pty_ = std::move(*launched);
    pty_->start({[this](std::string_view bytes) { output_ += bytes; }, [this](Closed closed) { closed_ = closed; },
                 [this] { drained_ = true; }});
  }
  bool wait_for(const std::function<bool()>& done) { return loop_.run_until(done, milliseconds(60'000)); }
  bool wait_for_end() {
    return wait_for([this] { return closed_.has_value(); });
  }

  event::EventLoop loop_;
  std::unique_ptr<PtyTransport> pty_;
  std::string output_;
  std::optional<Closed> closed_;
  bool drained_ = false;
};

TEST_F(PtyTransportTest, DeliversOutputAndExitCode) {
  launch({"sh", "-c", "echo $MARK; exit 3"});
  ASSERT_TRUE(wait_for_end());
  EXPECT_EQ(output_, "kept\r\n");
  EXPECT_EQ(closed_->kind, Closed::Kind::ended);
  EXPECT_EQ(closed_->exit_code, 3);
}

TEST_F(PtyTransportTest, DeliversEverythingWrittenBeforeTheEnd) {
  launch({"sh", "-c", "seq 1 50000; printf last"});
  ASSERT_TRUE(wait_for_end());
  EXPECT_TRUE(output_.ends_with("50000\r\nlast"));
}

TEST_F(PtyTransportTest, ReportsAShellEndedByASignal) {
  launch({"sh", "-c", "kill -KILL $$"});
  ASSERT_TRUE(wait_for_end());
  EXPECT_EQ(closed_->exit_code, 137);
  EXPECT_EQ(closed_->reason, "ended by signal Killed");
}

TEST_F(PtyTransportTest, EndsWithTheShellThoughABackgroundJobHoldsTheTerminal) {
  launch({"sh", "-c", "trap '' HUP; sleep 30 & echo started"});
  ASSERT_TRUE(wait_for_end());
  EXPECT_EQ(closed_->exit_code, 0);
}

TEST_F(PtyTransportTest, SaysWhichProgramIsMissing) {
  launch({"/no/such/shell"});
  ASSERT_TRUE(wait_for_end());
  EXPECT_EQ(output_, "jms: /no/such/shell: no such program\r\n");
  EXPECT_EQ(closed_->exit_code, 127);
}

TEST_F(PtyTransportTest, MayBeDestroyedByItsLastWords) {
  bool closed = false;
  auto launched = PtyTransport::launch(loop_, {.argv = {"sh", "-c", "echo last"}, .environment = {}, .size = {24, 80}});
  ASSERT_TRUE(launched);
  pty_ = std::move(*launched);
  const pid_t child = pty_->child_pid();
  // Its words and its end are both there before the loop looks.
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  pty_->start({[this](std::string_view bytes) {
                 output_ += bytes;
                 pty_.reset();
               },
               [&](Closed) { closed = true; },
               {}});
  ASSERT_TRUE(wait_for([this] { return !pty_; }));
  EXPECT_EQ(output_, "last\r\n");
  loop_.run_until([] { return false; }, milliseconds(20));
  EXPECT_FALSE(closed);
}

TEST_F(PtyTransportTest, DestroyingItLeavesNoZombie) {
  launch({"sh", "-c", "echo ready; read x"});
  ASSERT_TRUE(wait_for([this] { return !output_.empty(); }));
  const pid_t child = pty_->child_pid();
  pty_.reset();
  EXPECT_TRUE(wait_for([&] { return ::kill(child, 0) != 0; }));
}

TEST_F(PtyTransportTest, ReplacesAndAddsVariablesAndKeepsTheOthers) {
  ::setenv("KEPT_FOR_CHILDREN", "still there", 1);
  ::setenv("MARK", "ours", 1);
  launch({"sh", "-c", "echo $MARK, $KEPT_FOR_CHILDREN; env | grep -c ^MARK="});
  ::unsetenv("KEPT_FOR_CHILDREN");
  ::unsetenv("MARK");
  ASSERT_TRUE(wait_for_end());
  EXPECT_EQ(output_, "kept, still there\r\n1\r\n");
}

TEST_F(PtyTransportTest, TellsTheProgramItsSize) {
  launch({"sh", "-c", "stty size; read x; stty size"}, {30, 101});
  ASSERT_TRUE(wait_for([this] { return output_.find("30 101") != std::string::npos; }));
  pty_->resize({12, 40});
  pty_->send("\r");
  ASSERT_TRUE(wait_for_end());
  EXPECT_NE(output_.find("12 40"), std::string::npos);
}

TEST_F(PtyTransportTest, TakesMoreInputThanTheProgramReadsWithoutBlocking) {
  const support::TempDir dir;
  const std::string gate = dir / "gate";
  ASSERT_EQ(::mkfifo(gate.c_str(), 0600), 0);
  launch({"sh", "-c", "stty raw -echo; echo ready; read go <" + gate + "; head -c 1000000 | wc -c"});
  ASSERT_TRUE(wait_for([this] { return output_.find("ready") != std::string::npos; }));
  pty_->send(std::string(1'000'000, 'x'));
  EXPECT_GT(pty_->unsent(), 0u);
  std::ofstream(gate) << "go\n";
  ASSERT_TRUE(wait_for_end());
  EXPECT_NE(output_.find("1000000"), std::string::npos);
  EXPECT_TRUE(drained_);
}

TEST_F(PtyTransportTest, BrakesTheProgramWhilePaused) {
  launch({"sh", "-c", "yes | head -c 2000000; echo; echo end"});
  pty_->pause_reading();
  loop_.run_until([] { return false; }, milliseconds(50));
  EXPECT_EQ(output_, "");
  pty_->resume_reading();
  ASSERT_TRUE(wait_for_end());
  EXPECT_TRUE(output_.ends_with("end\r\n"));
}

TEST_F(PtyTransportTest, CloseEndsTheShell) {
  launch({"sh", "-c", "echo ready; sleep 1000"});
  ASSERT_TRUE(wait_for([this] { return !output_.empty(); }));
  pty_->close();
  ASSERT_TRUE(wait_for_end());
  EXPECT_EQ(closed_->exit_code, 129);
}

TEST_F(PtyTransportTest, MayBeDestroyedInItsOwnCallback) {
  auto launched = PtyTransport::launch(loop_, {.argv = {"sh", "-c", "seq 100000"}, .size = {}});
  ASSERT_TRUE(launched);
  pty_ = std::move(*launched);
  bool seen = false;
  pty_->start({[&](std::string_view) {
                 seen = true;
                 pty_.reset();
               },
               nullptr, nullptr});
  ASSERT_TRUE(wait_for([&] { return seen; }));
  EXPECT_FALSE(pty_);
}

}  // namespace
}  // namespace transport
