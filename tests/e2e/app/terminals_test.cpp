// Terminals and locales that are not the one of the author.

#include "tests/e2e/app/session_fixture.h"

namespace app {
namespace {

class TerminalKind : public BareSession, public testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, TerminalKind,
                         testing::Values("xterm", "xterm-256color", "linux", "vt100", "screen", "tmux-256color"),
                         [](const auto& choice) {
                           std::string name = choice.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(TerminalKind, OpensAndClosesThePanel) {
  env_.set("TERM", GetParam());
  start();
  ASSERT_TRUE(command("echo first"));
  const auto before = jms_->screen_text();
  ASSERT_TRUE(open_panel());
  ASSERT_TRUE(close_panel());
  EXPECT_EQ(jms_->screen_text(), before);
  enter("exit 4");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{4, 0}));
}

TEST_F(BareSession, WorksOnATerminalWithoutAnyAbility) {
  env_.set("TERM", "dumb");
  start();
  ASSERT_TRUE(command("echo typed"));
  jms_->send(kHotkey);
  jms_->settle();
  jms_->send(kEscape);
  jms_->settle();
  jms_->send("\x15");
  EXPECT_TRUE(command("echo still here"));
  enter("exit 4");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{4, 0}));
}

TEST_F(BareSession, WorksOnATerminalNobodyHasHeardOf) {
  env_.set("TERM", "no-such-terminal");
  start();
  ASSERT_TRUE(command("echo typed"));
  enter("exit 4");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{4, 0}));
}

TEST_F(BareSession, WorksWithoutATermVariable) {
  env_.unset("TERM");
  start();
  EXPECT_TRUE(command("echo typed"));
}

TEST_F(BareSession, DrawsPlainAsciiInALocaleWithoutUtf8) {
  env_.set("LANG", "C");
  start();
  ASSERT_TRUE(command("echo first"));
  jms_->forget_output();
  ASSERT_TRUE(open_panel());
  ASSERT_TRUE(close_panel());
  for (const char byte : jms_->output()) {
    ASSERT_GE(byte, 0) << "a byte that a terminal without UTF-8 cannot show";
  }
  EXPECT_TRUE(command("echo second"));
}

TEST_F(BareSession, DrawsThePanelWithoutColoursWhenAsked) {
  env_.set("NO_COLOR", "1");
  start();
  jms_->forget_output();
  ASSERT_TRUE(open_panel());
  const std::string& bytes = jms_->output();
  for (const char* colour : {"\x1b[3", "\x1b[4", "\x1b[9", "\x1b[10"}) {
    for (auto at = bytes.find(colour); at != std::string::npos; at = bytes.find(colour, at + 1)) {
      const auto end = bytes.find_first_not_of("0123456789;:", at + 2);
      const std::string parameters = bytes.substr(at + 2, end - at - 2);
      if (end == std::string::npos || bytes[end] != 'm') continue;
      EXPECT_TRUE(parameters == "3" || parameters == "4") << parameters;
    }
  }
}

}  // namespace
}  // namespace app
