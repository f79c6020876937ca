// What the remote set on the terminal is there again after the panel, and queries get exactly one answer.

#include "tests/e2e/app/session_fixture.h"
#include "tests/support/describe_modes.h"

namespace app {
namespace {

/// A mode the remote may have set, as the bytes that set it.
struct Setting {
  const char* name;
  const char* bytes;  ///< In printf's notation.

  friend std::ostream& operator<<(std::ostream& out, const Setting& setting) { return out << setting.name; }
};

class ModesTest : public BareSession, public testing::WithParamInterface<Setting> {
 protected:
  /// The remote sets the mode and stays silent, so that no prompt changes it again. The title comes last and tells.
  [[nodiscard]] bool set_mode() {
    enter("printf '\\033[2J\\033[Hsome text\\033[4;7Hmore" + std::string(GetParam().bytes) +
          "\\033]2;all set\\007'; sleep 100");
    const bool drawn = jms_->wait_until([this] { return jms_->screen().title() == "all set"; });
    jms_->settle(Ms(50));
    return drawn;
  }
};

INSTANTIATE_TEST_SUITE_P(
    All, ModesTest,
    testing::Values(
        Setting{"BracketedPaste", "\\033[?2004h"}, Setting{"MouseClicksSgr", "\\033[?1000h\\033[?1006h"},
        Setting{"MouseMotionUrxvt", "\\033[?1003;1015h"}, Setting{"FocusEvents", "\\033[?1004h"},
        Setting{"ApplicationCursorKeys", "\\033[?1h"}, Setting{"ApplicationKeypad", "\\033="},
        Setting{"CursorShape", "\\033[5 q"}, Setting{"HiddenCursor", "\\033[?25l"},
        Setting{"ScrollRegion", "\\033[3;10r\\033[5;9H"}, Setting{"OriginMode", "\\033[3;10r\\033[?6h\\033[2;2H"},
        Setting{"NoWrap", "\\033[?7l"}, Setting{"InsertMode", "\\033[4h"},
        Setting{"Colours", "\\033[1;3;38;2;10;20;30;48;5;77m"}, Setting{"LineDrawing", "\\033(0"},
        Setting{"ShiftedOut", "\\033)0\\016"}, Setting{"KittyKeyboard", "\\033[>5u"},
        Setting{"ModifyOtherKeys", "\\033[>4;2m"}, Setting{"TabStops", "\\033[3g\\033[1;6H\\033H\\033[4;7H"},
        Setting{"AlternateScreen", "\\033[?1049h\\033[2J\\033[Hsome text"}, Setting{"WrapPending", "\\033[6;76Hedge!"},
        Setting{"OpenLink", "\\033]8;;http://x/\\033\\\\\\\\link"}, Setting{"SavedCursor", "\\0337\\033[9;9H"}),
    [](const auto& choice) { return choice.param.name; });

TEST_P(ModesTest, IsThereAgainAfterThePanel) {
  start();
  ASSERT_TRUE(set_mode());
  const std::string before = support::describe(jms_->screen().modes());
  const terminal::Cursor cursor = jms_->screen().cursor();
  const std::string text = jms_->screen_text();
  ASSERT_TRUE(open_panel());
  ASSERT_TRUE(close_panel());
  jms_->wait_until([&] { return support::describe(jms_->screen().modes()) == before; });
  jms_->settle(Ms(100));
  EXPECT_EQ(support::describe(jms_->screen().modes()), before);
  EXPECT_EQ(jms_->screen().cursor(), cursor);
  EXPECT_EQ(jms_->screen_text(), text);
}

TEST_P(ModesTest, IsOffForTheNextProgramWhenTheSessionEnds) {
  start();
  ASSERT_TRUE(set_mode());
  jms_->send("\x03");
  ASSERT_TRUE(jms_->wait_for("$ "));
  enter("exit");
  ASSERT_TRUE(jms_->wait_for_exit());
  EXPECT_EQ(support::describe(jms_->screen().modes()), support::describe(terminal::Modes{}));
}

TEST_F(BareSession, TheRemotesMouseAndKeyReportsAreOffInsideThePanel) {
  start();
  enter("printf '\\033[?1003h\\033[?1006h\\033[?1004h\\033[?1h\\033[>1u\\033[>4;2m'; sleep 100");
  ASSERT_TRUE(jms_->wait_until([&] { return jms_->screen().modes().mouse_tracking == 1003; }));
  jms_->settle(Ms(50));
  ASSERT_TRUE(open_panel());
  const terminal::Modes& modes = jms_->screen().modes();
  EXPECT_NE(modes.mouse_tracking, 1003);
  EXPECT_FALSE(modes.focus_events);
  EXPECT_FALSE(modes.application_cursor);
  EXPECT_EQ(modes.modify_other_keys, 0);
}

TEST_F(BareSession, ModesSetUnderThePanelHoldAfterIt) {
  start();
  const support::Gate gate(env_.home(), "gate");
  enter(gate.wait() + "; printf '\\033[?2004h\\033[?1002h\\033[?1006h\\033[?1h'; echo s''et; sleep 100");
  pause(Ms(50));
  ASSERT_TRUE(open_panel());
  gate.open();
  ASSERT_TRUE(jms_->wait_for_screen("set"));
  ASSERT_TRUE(close_panel());
  EXPECT_TRUE(jms_->screen().modes().bracketed_paste);
  EXPECT_EQ(jms_->screen().modes().mouse_tracking, 1002);
  EXPECT_EQ(jms_->screen().modes().mouse_encoding, 1006);
  EXPECT_TRUE(jms_->screen().modes().application_cursor);
}

class QueryTest : public BareSession {
 protected:
  /// A script that asks, reads until half a second brings nothing more, and prints what came in `cat -v` notation.
  std::string asker(const std::string& before, const std::string& query) {
    return "sh " + script("ask.sh", before + "\nold=$(stty -g)\nstty raw -echo min 0 time 5\nprintf '\\033[3;5H" +
                                        query + "'\nanswer=$(cat -v)\nstty $old\necho\necho \"answer<$answer>\"\n");
  }
  std::string answer() const {
    const std::string text = jms_->screen_text();
    const auto begin = text.find("answer<");
    return begin == std::string::npos ? "" : text.substr(begin + 7, text.find('>', begin) - begin - 7);
  }
};

TEST_F(QueryTest, TheTerminalAnswersOnceWhileClosed) {
  start();
  enter(asker("", "\\033[6n"));
  ASSERT_TRUE(jms_->wait_until([&] { return !answer().empty(); })) << jms_->screen_text();
  EXPECT_EQ(answer(), "^[[3;5R");
}

TEST_F(QueryTest, DeviceAttributesAreAnsweredOnceWhileClosed) {
  start();
  jms_->settle(Ms(50));
  const auto answered_before = jms_->answers().size();
  enter(asker("", "\\033[c"));
  ASSERT_TRUE(jms_->wait_until([&] { return !answer().empty(); })) << jms_->screen_text();
  EXPECT_EQ(answer().find("^[[?"), 0u);
  EXPECT_EQ(answer().find("^[[?", 1), std::string::npos);
  EXPECT_GT(jms_->answers().size(), answered_before) << "the operator's terminal answers, not jms";
}

class OpenQueryTest : public QueryTest, public testing::WithParamInterface<Setting> {};

INSTANTIATE_TEST_SUITE_P(Queries, OpenQueryTest,
                         testing::Values(Setting{"CursorPosition", "\\033[6n"}, Setting{"DeviceAttributes", "\\033[c"},
                                         Setting{"Status", "\\033[5n"}, Setting{"SecondaryAttributes", "\\033[>c"}),
                         [](const auto& choice) { return choice.param.name; });

TEST_P(OpenQueryTest, IsAnsweredOnceWhileOpenAndNotAgainOnClosing) {
  start();
  const support::Gate gate(env_.home(), "gate");
  const support::Gate second(env_.home(), "second");
  enter(asker(gate.wait(), GetParam().bytes));
  pause(Ms(50));
  ASSERT_TRUE(open_panel());
  const auto answered_by_terminal = jms_->answers().size();
  gate.open();
  ASSERT_TRUE(jms_->wait_for_screen("answer<")) << jms_->screen_text();
  ASSERT_TRUE(close_panel());
  jms_->settle(Ms(100));
  EXPECT_EQ(answer().find("^["), 0u) << jms_->screen_text();
  EXPECT_EQ(answer().find("^[", 1), std::string::npos) << answer();
  EXPECT_EQ(jms_->answers().size(), answered_by_terminal) << "the replay asked the terminal again";
}

TEST_F(BareSession, ALateAnswerOfTheTerminalGoesToTheRemoteAndNotIntoThePanel) {
  start();
  jms_->settle(Ms(50));
  jms_->answer_queries(false);
  enter("stty -icanon -echo; printf '\\033[6n'; head -c 7 | cat -v; stty sane; echo");
  ASSERT_TRUE(jms_->wait_for("\x1b[6n"));
  ASSERT_TRUE(open_panel());
  jms_->send("\x1b[12;34R");
  jms_->send("question");
  ASSERT_TRUE(jms_->wait_for_screen("question"));
  EXPECT_FALSE(shows("12;34Rquestion")) << jms_->screen_text();
  ASSERT_TRUE(close_panel());
  EXPECT_TRUE(jms_->wait_for_screen("^[[12;34")) << jms_->screen_text();
}

}  // namespace
}  // namespace app
