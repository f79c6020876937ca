// A bare `jms`: the list of targets.

#include "tests/e2e/app/command_fixture.h"
#include "tests/e2e/app/session_fixture.h"

namespace app {
namespace {

class PickerTest : public BareSession {
 protected:
  void pick(base::Size size = {24, 80}) {
    config_ = env_.home().write("ssh_config",
                                "Host web1\n  User deploy\n  ProxyJump bastion\nHost db1\n  Port 2222\nHost bastion\n");
    launch(size, {"-F", config_});
    ASSERT_TRUE(jms_->wait_for_screen("jms: where to?")) << jms_->screen_text();
  }

  std::string config_;
};

TEST_F(PickerTest, ListsHostsByNameAndOpensTheOneThatIsTyped) {
  pick();
  EXPECT_TRUE(shows("web1"));
  EXPECT_TRUE(shows("deploy · via bastion"));
  EXPECT_TRUE(shows("No model is configured")) << "guidance at the first run";
  jms_->send("loc");
  ASSERT_TRUE(jms_->wait_until([this] { return !shows("web1"); }));
  jms_->send("\r");
  ASSERT_TRUE(jms_->wait_for("$ ")) << jms_->screen_text();
  ASSERT_TRUE(command("echo picked-$((6*7))"));
  EXPECT_TRUE(shows("picked-42"));
  jms_->send("exit\r");
  ASSERT_TRUE(jms_->wait_for_exit());

  // What was opened stands first the next time.
  pick();
  EXPECT_TRUE(shows("recent")) << jms_->screen_text();
  EXPECT_NE(jms_->row(3).find("local"), std::string::npos) << jms_->screen_text();
  jms_->send("\r");
  ASSERT_TRUE(jms_->wait_for("$ "));
}

TEST_F(PickerTest, LeavesOnEscAndGivesTheTerminalBack) {
  pick();
  const auto raw = jms_->settings();
  jms_->send("\x1b");
  const auto ending = jms_->wait_for_exit();
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->code, 0);
  EXPECT_FALSE(shows("where to?")) << "the alternate screen is gone";
  EXPECT_NE(jms_->settings().c_lflag & ICANON, raw.c_lflag & ICANON);
}

TEST_F(PickerTest, WorksAt40x10AndFollowsTheSize) {
  pick({10, 40});
  EXPECT_TRUE(shows("web1"));
  EXPECT_TRUE(shows("Enter open"));
  jms_->resize({20, 100});
  ASSERT_TRUE(jms_->wait_for_screen("Up/Down choose")) << jms_->screen_text();
}

using PickerWithoutTerminal = CommandTest;

TEST_F(PickerWithoutTerminal, SaysWhatToDoAndExitsWithTwo) {
  const auto result = run({});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, testing::HasSubstr("no target is named and there is no terminal to choose one on"));
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace app
