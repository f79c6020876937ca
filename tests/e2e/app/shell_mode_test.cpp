// Commands of the operator's own, typed after a '!', on the real binary.

#include <signal.h>

#include <filesystem>

#include "tests/e2e/app/input_fixture.h"
#include "tests/support/process_info.h"

namespace app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_F(InputTest, ShellModeBeginsWithTheMarkAndEndsWhenItIsDeleted) {
  open();
  ASSERT_TRUE(type_and_see("!", "SHELL"));
  EXPECT_NE(row_with("$ !"), "") << jms_->screen_text();
  EXPECT_NE(row_with("Enter run"), "");
  jms_->send("\x7f");
  ASSERT_TRUE(wait_until([this] { return !shows("SHELL") && row_with("$ !").empty(); }));
  ASSERT_TRUE(type_and_see("!ls", "SHELL"));
  jms_->send("\x1b");
  ASSERT_TRUE(wait_until([this] { return !shows("SHELL"); })) << "Esc drops the command";
  EXPECT_TRUE(panel_is_open());
}

TEST_F(InputTest, ShellModeRunsHereAndShowsHowItEnded) {
  open();
  ASSERT_TRUE(type_and_see("!pwd; echo two\r", "✓ done")) << jms_->screen_text();
  EXPECT_TRUE(shows("$ pwd; echo two"));
  EXPECT_TRUE(shows(std::filesystem::path(env_.home().path()).filename().string())) << "where jms was started";
  ASSERT_TRUE(type_and_see("!exit 7\r", "✗ exit 7"));
  ASSERT_TRUE(close_panel("\x1d"));
  pause(kNotQuickly);
  EXPECT_FALSE(shows("two")) << "nothing of it reached the session";
}

TEST_F(InputTest, ShellModeShowsOutputWhileItComesAndCtrlCKillsItAtOnce) {
  open();
  ASSERT_TRUE(type_and_see("!echo first; sleep 1000 & echo pid-$!; wait\r", "pid-"));
  const std::string row = row_with("pid-");
  ASSERT_FALSE(row.empty());
  int pid = 0;
  ASSERT_TRUE(wait_until([&] {
    for (int at = 0; at < 40; ++at) {
      const std::string line = jms_->row(at);
      if (const auto found = line.find("pid-"); found != std::string::npos && std::isdigit(line[found + 4]))
        pid = std::stoi(line.substr(found + 4));
    }
    return pid > 0;
  }));
  EXPECT_EQ(::kill(pid, 0), 0);
  const auto before = std::chrono::steady_clock::now();
  ASSERT_TRUE(type_and_see("\x03", "✗ stopped"));
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
  EXPECT_TRUE(support::process_ends_within(pid, std::chrono::seconds(10)));
  EXPECT_TRUE(panel_is_open());
}

TEST_F(InputTest, ShellModeRefusesInteractivePrograms) {
  open();
  for (const char* line : {"!vim x\r", "!/usr/bin/less f\r", "!env X=1 top\r", "!sudo htop\r"}) {
    jms_->send(line);
    EXPECT_TRUE(sees("needs a terminal of its own")) << line;
    jms_->send("/clear\r");
    ASSERT_TRUE(wait_until([this] { return !shows("needs a terminal of its own"); })) << jms_->screen_text();
  }
}

TEST_F(InputTest, ShellRecordsGoInFrontOfTheNextQuestionOnce) {
  serve_model();
  model_says("I saw it.");
  model_says("Nothing new.");
  open();
  ASSERT_TRUE(type_and_see("!echo record-$((40+2)); exit 3\r", "✗ exit 3"));
  ASSERT_TRUE(type_and_see("!echo other-one\r", "✓ done"));
  ASSERT_TRUE(type_and_see("what now?\r", "I saw it."));
  EXPECT_THAT(newest_message(0),
              AllOf(HasSubstr("record-42"), HasSubstr("[exit 3]"), HasSubstr("---"), HasSubstr("other-one")));
  ASSERT_TRUE(type_and_see("and now?\r", "Nothing new."));
  EXPECT_THAT(newest_message(1), Not(HasSubstr("record-42")));
}

TEST_F(InputTest, ALongOutputIsCutAndToldWhereTheRestIs) {
  open();
  ASSERT_TRUE(type_and_see("!seq 1 5000\r", "more, all of it in"));
  EXPECT_TRUE(sees("✓ done"));
}

}  // namespace
}  // namespace app
