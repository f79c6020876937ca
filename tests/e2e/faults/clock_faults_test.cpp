// Clocks that jump and a day that passes in seconds: every record is whole, nothing hangs, the session stays usable.

#include <signal.h>

#include <fstream>

#include "tests/e2e/faults/phases.h"
#include "tests/support/fake_clock.h"
#include "tests/support/process_info.h"
#include "tests/support/sanitized.h"

namespace faults {
namespace {

class ClockFault : public PhaseTest {
 protected:
  void SetUp() override {
    if (support::sanitized_build()) GTEST_SKIP() << "libfaketime and a sanitizer both want to be loaded first";
    PhaseTest::SetUp();
  }
  /// jms under libfaketime, told by `variables`. Without the program `faketime`, which stays as the parent: signals
  /// and figures are those of jms itself.
  void launch_with_clock(const std::vector<std::string>& variables) {
    const auto found = support::run_command({.argv = {"faketime", "-f", "+0", "sh", "-c", "printf %s \"$LD_PRELOAD\""},
                                             .environment = env_.variables(),
                                             .input = {}});
    std::vector<std::string> argv = {"env", "LD_PRELOAD=" + found.out};
    argv.insert(argv.end(), variables.begin(), variables.end());
    argv.insert(argv.end(), {JMS_BINARY, "local"});
    jms_ = std::make_unique<support::PtyProgram>(support::PtyProgram::Options{.argv = argv,
                                                                              .environment = env_.variables(),
                                                                              .size = {},
                                                                              .directory = env_.home().path(),
                                                                              .emulate = true,
                                                                              .answer_queries = true});
    before_ = jms_->first_settings();
    ASSERT_TRUE(jms_->wait_for("$ ")) << jms_->output();
  }
  /// Asks the offline engine in the panel and waits for the end, whatever it is. A time limit that was reached is
  /// answered with no.
  void ask_to_the_end() {
    ASSERT_TRUE(open_panel());
    jms_->send("is the disk full?");
    ASSERT_TRUE(jms_->wait_for_screen("disk full?"));
    jms_->send("\r");
    ASSERT_TRUE(jms_->wait_for_screen("Ctrl+C stop")) << jms_->screen_text();
    const auto over = [this] { return !shows("Ctrl+C stop"); };
    ASSERT_TRUE(jms_->wait_until([&] { return over() || shows("Go on?"); }, Ms(30'000))) << jms_->screen_text();
    if (shows("Go on?")) jms_->send("n");
    ASSERT_TRUE(jms_->wait_until(over)) << jms_->screen_text();
    ASSERT_TRUE(close_panel());
  }
  /// SIGTERM ends it in order; whatever was begun has its end in the record.
  void expect_orderly_death() {
    EXPECT_FALSE(witness_.events().empty());
    jms_->kill(SIGTERM);
    expect_whole({0, SIGTERM}, {});
  }

 private:
  support::FakeClock fake_clock_;
};

TEST_F(ClockFault, StartsAtOtherTimesBreakNoRecord) {
  for (const char* when : {"@2031-02-03 04:05:06", "@1999-12-31 23:59:59", "@2026-11-16 00:00:00"}) {
    const auto asked =
        support::run_command({.argv = {"faketime", "-f", when, JMS_BINARY, "ask", "local", "is the disk full?"},
                              .environment = env_.variables(),
                              .input = {},
                              .limit = std::chrono::milliseconds(60'000)});
    EXPECT_EQ(asked.code, 0) << when << asked.err;
  }
  EXPECT_FALSE(witness_.events().empty());
  witness_.expect_whole({});
  EXPECT_EQ(witness_.run({"sessions", "list"}).code, 0);
}

TEST_F(ClockFault, JumpsInARunningSessionDisturbNothing) {
  // The time of day alone jumps; the clock that timers use does not, as when an operator or NTP sets it.
  const auto set = [this](const std::string& when) { return script("clock", when + "\n"); };
  const std::string file = set("@2026-11-16 12:00:00");
  ASSERT_NO_FATAL_FAILURE(launch_with_clock({"FAKETIME_TIMESTAMP_FILE=" + file, "FAKETIME_NO_CACHE=1",
                                             "FAKETIME_DONT_FAKE_MONOTONIC=1", "DONT_FAKE_MONOTONIC=1"}));
  for (const char* when : {"@2026-11-16 12:00:00", "@2027-11-16 12:00:00", "@1999-12-31 23:59:59"}) {
    set(when);
    ASSERT_NO_FATAL_FAILURE(ask_to_the_end()) << when;
    ASSERT_TRUE(command("date +year-%Y"));
    EXPECT_TRUE(shows("year-" + std::string(when).substr(1, 4))) << jms_->screen_text();
  }
  expect_orderly_death();
}

TEST_F(ClockFault, ADayOfSessionPassesWithoutHarm) {
  // A clock 7,200 times as fast: twelve seconds are a day. With a history that is full long before noon, what grows
  // afterwards is lost.
  env_.write_config("scrollback_lines = 200\n");
  ASSERT_NO_FATAL_FAILURE(launch_with_clock({"FAKETIME=+0 x7200"}));
  ASSERT_TRUE(command("echo mor''ning"));
  const auto work_for = [this](std::chrono::seconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    for (int i = 0; std::chrono::steady_clock::now() < end; ++i) ASSERT_TRUE(command("echo hour-" + std::to_string(i)));
  };
  ASSERT_NO_FATAL_FAILURE(work_for(std::chrono::seconds(3)));
  const auto memory = support::process_status(jms_->pid(), "VmRSS");
  ASSERT_NO_FATAL_FAILURE(work_for(std::chrono::seconds(9)));
  if (!support::sanitized_build()) {
    EXPECT_LT(support::process_status(jms_->pid(), "VmRSS").value_or(0), memory.value_or(0) + 1'024);
  }
  ASSERT_NO_FATAL_FAILURE(ask_to_the_end());  // Every time limit strikes at once; the end is told and recorded.
  ASSERT_TRUE(command("echo eve''ning"));
  EXPECT_TRUE(shows("evening"));
  expect_orderly_death();
}

}  // namespace
}  // namespace faults
