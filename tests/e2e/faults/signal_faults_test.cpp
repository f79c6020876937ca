// Signals at every phase, and the terminal gone at every phase. The terminal is given back, every record is whole,
// nothing runs twice, the next start works.

#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <future>

#include "tests/e2e/faults/phases.h"
#include "tests/support/bad_server.h"
#include "tests/support/eventually.h"

namespace faults {
namespace {

class SignalFault : public PhaseTest,
                    public testing::WithParamInterface<std::tuple<int, std::pair<Phase, const char*>>> {};

std::string signal_name(int number) {
  return number == SIGTERM ? "Term" : number == SIGHUP ? "Hup" : number == SIGINT ? "Int" : "Kill";
}

TEST_P(SignalFault, LeavesTheTerminalAndTheRecordsWhole) {
  const auto [number, place] = GetParam();
  const Phase phase = place.first;
  ASSERT_NO_FATAL_FAILURE(bring_to(phase));
  jms_->kill(number);
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, number}));
  if (number != SIGKILL) expect_terminal_restored();
  using Events = std::vector<std::string>;
  // Nobody can write the end of what SIGKILL ended; that it began is on the disk.
  const Events of_a_command = number == SIGKILL ? Events{"start"} : Events{"start", "end"};
  EXPECT_EQ(recorded(), phase == Phase::command ? of_a_command : Events{});
  EXPECT_EQ(marks(), phase == Phase::command ? "x\n" : "");
  expect_next_start_works();
}

INSTANTIATE_TEST_SUITE_P(Every, SignalFault,
                         testing::Combine(testing::Values(SIGTERM, SIGHUP, SIGKILL), testing::ValuesIn(kPhases)),
                         [](const auto& choice) {
                           return signal_name(std::get<0>(choice.param)) + std::get<1>(choice.param).second;
                         });

class TerminalGone : public PhaseTest, public testing::WithParamInterface<std::pair<Phase, const char*>> {};

TEST_P(TerminalGone, EndsEverything) {
  ASSERT_NO_FATAL_FAILURE(bring_to(GetParam().first));
  jms_->hang_up();
  EXPECT_TRUE(jms_->wait_for_exit());
  using Events = std::vector<std::string>;
  EXPECT_EQ(recorded(), GetParam().first == Phase::command ? (Events{"start", "end"}) : Events{});
  expect_next_start_works();
}

INSTANTIATE_TEST_SUITE_P(Every, TerminalGone, testing::ValuesIn(kPhases),
                         [](const auto& choice) { return std::string(choice.param.second); });

/// `jms ask`, from a script, while its command runs.
class HeadlessFault : public PhaseTest, public testing::WithParamInterface<int> {};

TEST_P(HeadlessFault, RecordsTheEndAndDiesByTheSignal) {
  const std::string note = env_.home().file("pid");
  auto asked = std::async(std::launch::async, [&] {
    return support::run_command({.argv = {"sh", "-c", "cd; echo $$ > " + note + "; exec \"$@\"", "sh", JMS_BINARY,
                                          "ask", "--mode", "auto", "local", "why is the frobnicator slow?"},
                                 .environment = env_.variables(),
                                 .input = {}});
  });
  ASSERT_TRUE(support::eventually([this] { return marks() == "x\n"; }));
  ::kill(std::stoi(support::read_text(note)), GetParam());
  EXPECT_EQ(asked.get().code, 128 + GetParam());
  EXPECT_EQ(recorded(), (std::vector<std::string>{"start", "end"}));
  expect_next_start_works();
}

INSTANTIATE_TEST_SUITE_P(By, HeadlessFault, testing::Values(SIGTERM, SIGHUP, SIGINT),
                         [](const auto& choice) { return signal_name(choice.param); });

/// A command that asks a JumpServer which takes the connection and never says a word.
class UnansweredFault : public PhaseTest, public testing::WithParamInterface<std::tuple<int, std::string>> {};

TEST_P(UnansweredFault, DiesByTheSignalAndGivesTheTerminalBack) {
  const auto [number, command] = GetParam();
  event::EventLoop loop;
  const support::BadServer server(loop, "", support::BadServer::Then::stall);
  env_.set("JMS_SERVER", "http://127.0.0.1:" + std::to_string(server.port()));
  env_.set("JMS_COOKIE", "jms_sessionid=made-up; jms_csrftoken=made-up");
  launch({24, 100}, {command});
  before_ = jms_->first_settings();
  ASSERT_TRUE(loop.run_until([&] { return server.reached(); }, Ms(10'000))) << jms_->output();
  jms_->kill(number);
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, number})) << jms_->output();
  expect_terminal_restored();
}

INSTANTIATE_TEST_SUITE_P(By, UnansweredFault,
                         testing::Combine(testing::Values(SIGTERM, SIGHUP), testing::Values("assets", "doctor")),
                         [](const auto& choice) {
                           return signal_name(std::get<0>(choice.param)) + "During_" + std::get<1>(choice.param);
                         });

/// jms stuck in a system call that never comes back, as on a file server that does not answer: here it is a pipe in
/// the place of a file, which nobody reads.
class StuckFault : public PhaseTest, public testing::WithParamInterface<int> {
 protected:
  void replace_by_pipe(const std::string& file) const {
    const std::string path = env_.home().file("state/jms/" + file);
    std::filesystem::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  }
  /// In the same open() for longer than any file that is there takes.
  [[nodiscard]] bool wait_until_stuck() {
    const std::string open = std::to_string(SYS_openat) + " ";
    int seen = 0;
    for (int looks = 0; seen < 10 && looks < 1000; ++looks) {
      jms_->wait_until([] { return false; }, Ms(10));
      const auto call = support::read_text("/proc/" + std::to_string(jms_->pid()) + "/syscall");
      seen = call.starts_with(open) ? seen + 1 : 0;
    }
    return seen == 10;
  }
};

TEST_P(StuckFault, EndsAtTheSecondSignal) {
  ASSERT_NO_FATAL_FAILURE(bring_to(Phase::panel));
  ASSERT_NO_FATAL_FAILURE(replace_by_pipe("history"));
  jms_->send("is the disk full?");
  ASSERT_TRUE(jms_->wait_for_screen("disk full?"));
  jms_->send("\r");
  ASSERT_TRUE(wait_until_stuck());
  jms_->kill(GetParam());
  EXPECT_FALSE(jms_->wait_for_exit(Ms(300))) << "it was not stuck";
  jms_->kill(GetParam());
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, GetParam()}));
  expect_terminal_restored();
  std::filesystem::remove(env_.home().file("state/jms/history"));
  expect_next_start_works();
}

TEST_P(StuckFault, EndsAtTheFirstSignalBeforeTheSessionListens) {
  ASSERT_NO_FATAL_FAILURE(bring_to(Phase::prompt));
  jms_->kill(SIGKILL);
  ASSERT_TRUE(jms_->wait_for_exit());
  ASSERT_NO_FATAL_FAILURE(replace_by_pipe("history"));
  launch({24, 100}, {"local"});
  before_ = jms_->first_settings();
  ASSERT_TRUE(wait_until_stuck());
  jms_->kill(GetParam());
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, GetParam()}));
  expect_terminal_restored();
}

INSTANTIATE_TEST_SUITE_P(By, StuckFault, testing::Values(SIGTERM, SIGHUP),
                         [](const auto& choice) { return signal_name(choice.param); });

}  // namespace
}  // namespace faults
