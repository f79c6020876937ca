// The operator's side fails: signals at every phase, the terminal gone, a storm of sizes, clocks that jump. The
// terminal is given back, every record is whole, the next start works.

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "tests/e2e/app/session_fixture.h"
#include "tests/support/describe_modes.h"
#include "tests/support/process_info.h"
#include "tests/support/run_command.h"

namespace faults {
namespace {

constexpr const char* kRunbook =
    "---\nname: slow-frobnicator\ndescription: Find out why the frobnicator is slow.\n---\n"
    "## 1. Wait\n```bash\necho frob''-began; sleep 60\n```\nexpect: exit 0\n"
    "## 2. Look\n```bash\necho sec''ond\n```\nexpect: exit 0\n";

enum class Phase { prompt, panel, question };
constexpr std::pair<Phase, const char*> kPhases[] = {
    {Phase::prompt, "AtThePrompt"}, {Phase::panel, "WithThePanelOpen"}, {Phase::question, "WhileACommandRuns"}};

class OperatorFault : public app::BareSession {
 protected:
  OperatorFault() { env_.home().write("config/jms/skills/slow-frobnicator/SKILL.md", kRunbook); }

  void bring_to(Phase phase) {
    launch({}, {"local"});
    before_ = jms_->settings();
    ASSERT_TRUE(jms_->wait_for("$ "));
    if (phase == Phase::prompt) return;
    ASSERT_TRUE(open_panel());
    if (phase == Phase::panel) return;
    jms_->send("why is the frobnicator slow?");
    ASSERT_TRUE(jms_->wait_for_screen("frobnicator slow?"));
    jms_->send("\r");
    ASSERT_TRUE(jms_->wait_for_screen("frob-began", Ms(30'000))) << jms_->screen_text();
  }
  void expect_terminal_restored() {
    const termios after = jms_->settings();
    EXPECT_EQ(after.c_lflag, before_.c_lflag);
    EXPECT_EQ(after.c_iflag, before_.c_iflag);
    EXPECT_EQ(support::describe(jms_->screen().modes()), support::describe(terminal::Modes{}));
  }
  support::CommandOutput run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), JMS_BINARY);
    return support::run_command({.argv = arguments, .environment = env_.variables(), .input = {}});
  }
  void expect_records_whole() {
    if (!std::filesystem::exists(env_.home().file("state/jms/audit/audit.jsonl"))) return;
    const auto verified = run({"audit", "verify"});
    EXPECT_EQ(verified.code, 0) << verified.err;
  }
  void expect_next_start_works() {
    start();
    EXPECT_TRUE(command("echo ag''ain"));
    EXPECT_EQ(run({"ask", "local", "is the disk full?"}).code, 0);
    expect_records_whole();
  }

  termios before_{};
};

class SignalFault : public OperatorFault,
                    public testing::WithParamInterface<std::tuple<int, std::pair<Phase, const char*>>> {};

TEST_P(SignalFault, LeavesTheTerminalAndTheRecordsWhole) {
  const auto [number, phase] = GetParam();
  ASSERT_NO_FATAL_FAILURE(bring_to(phase.first));
  jms_->kill(number);
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, number}));
  if (number != SIGKILL) expect_terminal_restored();
  expect_records_whole();
  expect_next_start_works();
}

INSTANTIATE_TEST_SUITE_P(Every, SignalFault,
                         testing::Combine(testing::Values(SIGTERM, SIGHUP, SIGKILL), testing::ValuesIn(kPhases)),
                         [](const auto& info) {
                           const int number = std::get<0>(info.param);
                           return std::string(number == SIGTERM  ? "Term"
                                              : number == SIGHUP ? "Hup"
                                                                 : "Kill") +
                                  std::get<1>(info.param).second;
                         });

TEST_F(OperatorFault, ATerminalThatIsGoneEndsEverything) {
  for (const auto& [phase, name] : kPhases) {
    ASSERT_NO_FATAL_FAILURE(bring_to(phase)) << name;
    jms_->hang_up();
    EXPECT_TRUE(jms_->wait_for_exit()) << name;
    expect_records_whole();
  }
  expect_next_start_works();
}

TEST_F(OperatorFault, AStormOfSizesChangesNothingButTheSize) {
  std::mt19937 random(7);
  for (const auto& [phase, name] : kPhases) {
    ASSERT_NO_FATAL_FAILURE(bring_to(phase)) << name;
    for (int i = 0; i < 200; ++i) {
      jms_->resize({static_cast<int>(random() % 60 + 1), static_cast<int>(random() % 200 + 1)});
      jms_->wait_until([] { return false; }, Ms(1));
    }
    jms_->resize({24, 80});
    if (phase == Phase::question) jms_->send("\x03");
    if (phase == Phase::question) ASSERT_TRUE(jms_->wait_until([this] { return !shows("Ctrl+C stop"); }, Ms(30'000)));
    if (phase != Phase::prompt) ASSERT_TRUE(wait_for_panel()) << name << jms_->screen_text();
    if (phase != Phase::prompt) ASSERT_TRUE(close_panel()) << name << jms_->screen_text();
    EXPECT_TRUE(wait_for_remote_size({24, 80})) << name;
    expect_usable();
  }
}

TEST_F(OperatorFault, AClockThatJumpsBackOrForthBreaksNoRecord) {
  for (const char* when : {"@2031-02-03 04:05:06", "@1999-12-31 23:59:59", "@2026-11-16 00:00:00"}) {
    const auto asked =
        support::run_command({.argv = {"faketime", "-f", when, JMS_BINARY, "ask", "local", "is the disk full?"},
                              .environment = env_.variables(),
                              .input = {},
                              .limit = std::chrono::milliseconds(60'000)});
    EXPECT_EQ(asked.code, 0) << when << asked.err;
  }
  expect_records_whole();
  EXPECT_EQ(run({"sessions", "list"}).code, 0);
}

TEST_F(OperatorFault, ADayOfSessionPassesWithoutHarm) {
  // A clock 7,200 times as fast: twelve seconds are a day.
  jms_ = std::make_unique<support::PtyProgram>(
      support::PtyProgram::Options{.argv = {"faketime", "-f", "+0 x7200", JMS_BINARY, "local"},
                                   .environment = env_.variables(),
                                   .size = {},
                                   .directory = env_.home().path(),
                                   .emulate = true,
                                   .answer_queries = true});
  ASSERT_TRUE(jms_->wait_for("$ "));
  ASSERT_TRUE(command("echo mor''ning"));
  const auto memory = support::process_status(jms_->pid(), "VmRSS");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(12);
  for (int i = 0; std::chrono::steady_clock::now() < end; ++i) ASSERT_TRUE(command("echo hour-" + std::to_string(i)));
  ASSERT_TRUE(command("echo eve''ning"));
  EXPECT_TRUE(shows("evening"));
  EXPECT_LT(support::process_status(jms_->pid(), "VmRSS").value_or(0), memory.value_or(0) + 4'096);
}

}  // namespace
}  // namespace faults
