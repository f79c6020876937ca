// Quick in a flood, asleep when idle. The bounds are generous for a busy machine; bench/terminal has the figures.

#include "tests/e2e/app/session_fixture.h"
#include "tests/support/process_info.h"

namespace app {
namespace {

class ResponsiveTest : public BareSession {
 protected:
  static constexpr Ms kBound{4000};

  void start_flood() {
    start();
    enter("yes a line of a log that goes on and on");
    ASSERT_TRUE(jms_->wait_until([&] { return jms_->output().size() > 1'000'000; }));
    jms_->forget_output();
  }
};

TEST_F(ResponsiveTest, CtrlCStopsAFlood) {
  start_flood();
  jms_->send("\x03");
  EXPECT_TRUE(jms_->wait_for("$ ", kBound));
}

TEST_F(ResponsiveTest, TheHotkeyOpensThePanelInAFlood) {
  start_flood();
  jms_->send(kHotkey);
  EXPECT_TRUE(wait_for_panel(kBound));
}

TEST_F(ResponsiveTest, TheHotkeyClosesThePanelInAFlood) {
  start_flood();
  jms_->send(kHotkey);
  ASSERT_TRUE(wait_for_panel(kBound));
  pause(kNotQuickly);
  jms_->send(kHotkey);
  EXPECT_TRUE(jms_->wait_until([&] { return !jms_->screen().alternate(); }, kBound));
}

TEST_F(ResponsiveTest, ThePanelTakesTextInAFlood) {
  start_flood();
  jms_->send(kHotkey);
  ASSERT_TRUE(wait_for_panel(kBound));
  jms_->send("typed in a flood");
  EXPECT_TRUE(jms_->wait_for_screen("typed in a flood", kBound));
}

TEST_F(ResponsiveTest, OpensAndClosesAgainAndAgainInAFlood) {
  start_flood();
  for (int round = 0; round < 10; ++round) {
    jms_->send(kHotkey);
    ASSERT_TRUE(jms_->wait_until([&] { return jms_->screen().alternate(); }, kBound)) << round;
    jms_->send(kEscape);
    ASSERT_TRUE(jms_->wait_until([&] { return !jms_->screen().alternate(); }, kBound)) << round;
    jms_->forget_output();
  }
  jms_->send("\x03");
  EXPECT_TRUE(command("true"));
}

TEST_F(ResponsiveTest, SleepsWhenNothingHappens) {
  start();
  jms_->settle(Ms(1000));
  const auto before = support::process_status(jms_->pid(), "voluntary_ctxt_switches");
  pause(Ms(1000));
  const auto after = support::process_status(jms_->pid(), "voluntary_ctxt_switches");
  ASSERT_TRUE(before && after);
  EXPECT_LE(*after - *before, 2);
}

}  // namespace
}  // namespace app
