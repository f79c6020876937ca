// The assistant behind the panel, with the offline runbook engine: no model, no network, the real shell.

#include <filesystem>
#include <fstream>

#include "tests/e2e/app/session_fixture.h"

namespace app {
namespace {

class AssistantTest : public BareSession {
 protected:
  void ask(const std::string& question) {
    jms_->send(question);
    ASSERT_TRUE(jms_->wait_for_screen(question));
    jms_->send("\r");
  }
};

TEST_F(AssistantTest, FollowsARunbookInTheOperatorsSessionAndReports) {
  start();
  ASSERT_TRUE(command("true"));
  ASSERT_TRUE(open_panel());
  ask("why is the disk full?");
  ASSERT_TRUE(jms_->wait_for_screen("says what each finding points to", Ms(60'000))) << jms_->screen_text();
  ASSERT_TRUE(close_panel());
  // The operator sees the commands as if typed by hand, and nothing of what frames them.
  EXPECT_TRUE(shows("/proc/mounts")) << jms_->screen_text();
  EXPECT_FALSE(shows("7717")) << jms_->screen_text();
  EXPECT_FALSE(shows("printf")) << jms_->screen_text();
  EXPECT_TRUE(command("echo still''-here")) << jms_->screen_text();
}

TEST_F(AssistantTest, StopsOnCtrlCAndLeavesAUsablePrompt) {
  env_.home().write("config/jms/skills/slow-frobnicator/SKILL.md",
                    "---\nname: slow-frobnicator\ndescription: Find out why the frobnicator is slow.\n---\n"
                    "## 1. Wait\n```bash\necho frob''-began; sleep 60\n```\nexpect: exit 0\n");
  start();
  ASSERT_TRUE(command("true"));
  ASSERT_TRUE(open_panel());
  ask("why is the frobnicator slow?");
  ASSERT_TRUE(jms_->wait_for_screen("frob-began", Ms(60'000))) << jms_->screen_text();
  jms_->send("\x03");
  ASSERT_TRUE(jms_->wait_until([this] { return !shows("Ctrl+C stop"); }, Ms(30'000))) << jms_->screen_text();
  ASSERT_TRUE(close_panel());
  EXPECT_TRUE(command("echo still''-here")) << jms_->screen_text();
}

}  // namespace
}  // namespace app
