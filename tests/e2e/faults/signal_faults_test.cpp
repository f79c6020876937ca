// Signals at every phase. The terminal is given back, every record is whole, nothing runs twice, the next start works.

#include <signal.h>

#include <future>

#include "tests/e2e/faults/phases.h"
#include "tests/support/bad_server.h"
#include "tests/support/eventually.h"

namespace faults {
namespace {

class SignalFault : public PhaseTest, public testing::WithParamInterface<std::tuple<int, Place>> {};

std::string signal_name(int number) {
  return number == SIGTERM ? "Term" : number == SIGHUP ? "Hup" : number == SIGINT ? "Int" : "Kill";
}

TEST_P(SignalFault, LeavesTheTerminalAndTheRecordsWhole) {
  const auto [number, place] = GetParam();
  ASSERT_NO_FATAL_FAILURE(bring_to(place.value));
  jms_->kill(number);
  expect_whole({0, number}, left_by(place.value, number == SIGKILL));
}

INSTANTIATE_TEST_SUITE_P(Every, SignalFault,
                         testing::Combine(testing::Values(SIGTERM, SIGHUP, SIGKILL), testing::ValuesIn(kPhases)),
                         [](const auto& choice) {
                           return signal_name(std::get<0>(choice.param)) + std::get<1>(choice.param).name;
                         });

/// `jms ask`, from a script, while its command runs.
class HeadlessFault : public PhaseTest, public testing::WithParamInterface<int> {};

TEST_P(HeadlessFault, RecordsTheEndAndDiesByTheSignal) {
  const std::string note = env_.home().file("pid");
  auto asked = std::async(std::launch::async, [&] {
    return support::run_command({.argv = {"sh", "-c", "echo $$ > " + note + "; exec \"$@\"", "sh", JMS_BINARY, "ask",
                                          "--mode", "auto", "local", Witness::kQuestion},
                                 .environment = env_.variables(),
                                 .input = {}});
  });
  ASSERT_TRUE(support::eventually([this] { return witness_.marks() == "x\n"; }));
  ::kill(std::stoi(support::read_text(note)), GetParam());
  EXPECT_EQ(asked.get().code, 128 + GetParam());
  witness_.expect_whole(left_by(Phase::command, GetParam() == SIGKILL));
}

INSTANTIATE_TEST_SUITE_P(By, HeadlessFault, testing::Values(SIGTERM, SIGHUP, SIGINT, SIGKILL),
                         [](const auto& choice) { return signal_name(choice.param); });

/// A command that asks a JumpServer which takes the connection and never says a word.
class UnansweredFault : public PhaseTest, public testing::WithParamInterface<std::tuple<int, std::string>> {};

TEST_P(UnansweredFault, DiesByTheSignalAndGivesTheTerminalBack) {
  const auto [number, command] = GetParam();
  const support::BadServer server(loop_, "", support::BadServer::Then::stall);
  env_.set("JMS_SERVER", "http://127.0.0.1:" + std::to_string(server.port()));
  env_.set("JMS_COOKIE", "jms_sessionid=made-up; jms_csrftoken=made-up");
  launch({24, 100}, {command});
  ASSERT_TRUE(loop_.run_until([&] { return server.reached(); }, Ms(10'000))) << jms_->output();
  jms_->kill(number);
  expect_whole({0, number}, kNothing);
}

INSTANTIATE_TEST_SUITE_P(By, UnansweredFault,
                         testing::Combine(testing::Values(SIGTERM, SIGHUP, SIGKILL),
                                          testing::Values("assets", "doctor")),
                         [](const auto& choice) {
                           return signal_name(std::get<0>(choice.param)) + "During_" + std::get<1>(choice.param);
                         });

}  // namespace
}  // namespace faults
