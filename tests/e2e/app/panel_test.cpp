// The panel on a bare pty: every way to open and close it, and what the remote and the terminal notice of it (nothing).

#include "tests/e2e/app/session_fixture.h"

namespace app {
namespace {

class PanelTest : public BareSession {
 protected:
  /// What jms answers to a remote that reads everything typed for it while the panel is opened and closed.
  [[nodiscard]] bool start_listening() {
    enter("cat -v");
    return jms_->wait_for("cat -v\r\n");
  }
};

class HotkeyTest : public PanelTest, public testing::WithParamInterface<std::string> {};

constexpr const char* kEncodingNames[] = {"ControlByte", "KittyKeys", "ModifyOtherKeys"};
INSTANTIATE_TEST_SUITE_P(Encodings, HotkeyTest, testing::Values("\x1d", "\x1b[93;5u", "\x1b[27;5;93~"),
                         [](const auto& hotkey) { return kEncodingNames[hotkey.index]; });

TEST_P(HotkeyTest, OpensThePanel) {
  start();
  EXPECT_FALSE(panel_is_open());
  EXPECT_TRUE(open_panel(GetParam()));
  EXPECT_TRUE(jms_->screen().alternate());
}

TEST_P(HotkeyTest, ClosesThePanel) {
  start();
  ASSERT_TRUE(open_panel());
  pause(kNotQuickly);
  EXPECT_TRUE(close_panel(GetParam()));
  EXPECT_FALSE(jms_->screen().alternate());
  EXPECT_TRUE(command("true"));
}

TEST_P(HotkeyTest, OpensThePanelThoughItArrivesInPieces) {
  start();
  // On a busy machine the pieces may come too far apart to be one key, which is no mistake; then they are sent again.
  for (int attempt = 0; attempt < 10 && !panel_is_open(); ++attempt) {
    for (const char byte : GetParam()) {
      jms_->send(std::string(1, byte));
      pause(Ms(2));
    }
    (void)wait_for_panel(Ms(500));
  }
  EXPECT_TRUE(panel_is_open());
}

TEST_P(HotkeyTest, OpensThePanelFromInsideABurst) {
  start();
  ASSERT_TRUE(start_listening());
  jms_->send("before" + GetParam() + "after");
  ASSERT_TRUE(wait_for_panel());
  ASSERT_TRUE(jms_->wait_for_screen("after")) << "what follows the hotkey is for the panel";
  ASSERT_TRUE(close_panel());
  jms_->send("\r");
  ASSERT_TRUE(jms_->wait_for_screen("before\nbefore")) << jms_->screen_text();
  EXPECT_FALSE(shows("after"));
}

TEST_P(HotkeyTest, IsPlainTextInsideABracketedPaste) {
  start();
  ASSERT_TRUE(start_listening());
  jms_->send("\x1b[200~pasted" + GetParam() + "text\x1b[201~\r");
  ASSERT_TRUE(jms_->wait_for_screen("text^[[201~"));
  EXPECT_FALSE(panel_is_open());
  EXPECT_TRUE(open_panel()) << "after the paste it is the hotkey again";
}

TEST_P(HotkeyTest, PressedTwiceGoesToTheRemote) {
  start();
  ASSERT_TRUE(start_listening());
  jms_->send(GetParam() + GetParam());
  ASSERT_TRUE(wait_for_no_panel());
  jms_->send("\r");
  const std::string shown = GetParam() == kHotkey ? "^]" : "^[" + GetParam().substr(1);
  ASSERT_TRUE(jms_->wait_for_screen(shown + "\n" + shown)) << jms_->screen_text();
  EXPECT_FALSE(shows(shown + shown)) << "once, and as the terminal encoded it";
  EXPECT_FALSE(panel_is_open());
}

TEST_F(PanelTest, AHotkeyInAPasteCutInTwoIsPlainText) {
  start();
  ASSERT_TRUE(start_listening());
  jms_->send("\x1b[200~one ");
  pause(Ms(50));
  jms_->send("two\x1d three\x1b[20");
  pause(Ms(5));
  jms_->send("1~\r");
  ASSERT_TRUE(jms_->wait_for_screen("three^[[201~"));
  EXPECT_FALSE(panel_is_open());
}

TEST_F(PanelTest, EscapeClosesIt) {
  start();
  ASSERT_TRUE(open_panel());
  EXPECT_TRUE(close_panel(kEscape));
}

TEST_F(PanelTest, TakesAtLeastFortyPercentOfTheHeightAtTheBottom) {
  start({30, 80});
  ASSERT_TRUE(command("i=0; while [ $i -lt 29 ]; do echo row-$i; i=$((i+1)); done"));
  ASSERT_TRUE(open_panel());
  int rows_of_session = 0;
  for (int row = 0; row < 30; ++row) rows_of_session += jms_->row(row).starts_with("row-");
  EXPECT_GE(rows_of_session, 15);
  EXPECT_LE(rows_of_session, 18);
  EXPECT_TRUE(jms_->row(29).find("row-") == std::string::npos);
}

TEST_F(PanelTest, KeepsTheRemoteCursorsRowVisible) {
  start();
  ASSERT_TRUE(command("seq 1 100; echo last-output"));
  ASSERT_TRUE(open_panel());
  EXPECT_TRUE(shows("last-output")) << jms_->screen_text();
  EXPECT_TRUE(shows("\n$")) << jms_->screen_text();
}

TEST_F(PanelTest, WhatIsTypedThereDoesNotReachTheRemote) {
  start();
  ASSERT_TRUE(start_listening());
  ASSERT_TRUE(open_panel());
  jms_->send("secret question");
  ASSERT_TRUE(jms_->wait_for_screen("secret question"));
  ASSERT_TRUE(close_panel());
  jms_->send("end\r");
  ASSERT_TRUE(jms_->wait_for_screen("end\nend")) << jms_->screen_text();
  EXPECT_FALSE(shows("secret"));
}

TEST_F(PanelTest, ItsInputLineEdits) {
  start();
  ASSERT_TRUE(open_panel());
  jms_->send("two three");
  jms_->send("\x01one \x05 four");  // Ctrl-A, Ctrl-E
  ASSERT_TRUE(jms_->wait_for_screen("one two three four"));
  jms_->send("\x17\x17");  // Ctrl-W twice
  ASSERT_TRUE(jms_->wait_until([&] { return shows("one two") && !shows("three"); })) << jms_->screen_text();
  jms_->send("\x1b[D\x1b[D\x7f\x7f漢字é");  // left, left, backspace
  ASSERT_TRUE(jms_->wait_for_screen("漢字é"));
  jms_->send("\x15");  // Ctrl-U
  ASSERT_TRUE(jms_->wait_until([&] { return !shows("漢字é"); })) << jms_->screen_text();
  jms_->send("\x1b[200~pasted text\x1b[201~");
  EXPECT_TRUE(jms_->wait_for_screen("pasted text"));
}

TEST_F(PanelTest, TheSessionStaysLiveAboveIt) {
  start();
  const support::Gate gate(env_.home(), "gate");
  enter(gate.wait() + "; echo came-while-o''pen");
  pause(Ms(50));
  ASSERT_TRUE(open_panel());
  gate.open();
  EXPECT_TRUE(jms_->wait_for_screen("came-while-open"));
  EXPECT_TRUE(panel_is_open());
  ASSERT_TRUE(close_panel());
  EXPECT_TRUE(shows("came-while-open"));
  EXPECT_TRUE(command("true"));
}

TEST_F(PanelTest, TheRemoteSizeDoesNotChange) {
  start();
  const support::Gate gate(env_.home(), "gate");
  enter("trap 'echo size-chan''ged' WINCH; " + gate.wait() + "; stty size");
  pause(Ms(50));
  ASSERT_TRUE(open_panel());
  gate.open();
  EXPECT_TRUE(jms_->wait_for_screen("24 80"));
  ASSERT_TRUE(close_panel());
  ASSERT_TRUE(command("true"));
  EXPECT_FALSE(shows("size-changed"));
}

TEST_F(PanelTest, ResizesWhileOpen) {
  start();
  ASSERT_TRUE(open_panel());
  for (const base::Size size : {base::Size{40, 120}, {5, 20}, {10, 30}, {24, 80}}) {
    jms_->resize(size);
    jms_->settle(Ms(100));
    EXPECT_TRUE(jms_->wait_until([&] { return jms_->screen_text().find("─") != std::string::npos || panel_is_open(); }))
        << size.rows << "x" << size.cols << "\n"
        << jms_->screen_text();
  }
  jms_->resize({33, 90});
  jms_->settle(Ms(50));
  ASSERT_TRUE(close_panel());
  EXPECT_TRUE(wait_for_remote_size({33, 90}));
}

TEST_F(PanelTest, VimUnderItIsRepaintedExactly) {
  start();
  const auto file = script("note.txt", "alpha 漢字\nbeta\n\tgamma\n");
  enter("vim " + file);
  ASSERT_TRUE(jms_->wait_for_screen("gamma"));
  jms_->send(":echo 6*7\r");  // Once vim obeys, it has read the terminal's answers and drawn all it draws at the start.
  ASSERT_TRUE(jms_->wait_for_screen("\n42"));
  jms_->settle(Ms(300));
  const auto before = jms_->screen_text();
  const auto cursor = jms_->screen().cursor();
  ASSERT_TRUE(open_panel());
  ASSERT_TRUE(close_panel());
  jms_->settle(Ms(200));
  EXPECT_EQ(jms_->screen_text(), before);
  EXPECT_EQ(jms_->screen().cursor(), cursor);
  EXPECT_TRUE(jms_->screen().alternate());
  jms_->send("ddiedited\x1b:wq\r");
  ASSERT_TRUE(jms_->wait_until([&] { return !jms_->screen().alternate(); }));
  EXPECT_TRUE(command("true"));
}

TEST_F(PanelTest, VimMayQuitUnderIt) {
  start();
  ASSERT_TRUE(command("echo before-vim"));
  const support::Gate gate(env_.home(), "gate");
  const auto file = script("quit.vim", "call system('" + gate.wait() + "')\nqa!\n");
  enter("vim -c 'au VimEnter * so " + file + "' new-file; echo after-v''im");
  ASSERT_TRUE(jms_->wait_until([&] { return jms_->screen().alternate(); }));
  jms_->settle(Ms(200));
  ASSERT_TRUE(open_panel());
  gate.open();
  ASSERT_TRUE(jms_->wait_for_screen("after-vim")) << jms_->screen_text();
  ASSERT_TRUE(close_panel());
  EXPECT_FALSE(jms_->screen().alternate());
  EXPECT_TRUE(shows("before-vim")) << jms_->screen_text();
  EXPECT_TRUE(shows("after-vim")) << jms_->screen_text();
  EXPECT_TRUE(command("true"));
}

TEST_F(PanelTest, ShowsWhatIsAboveThePromptWhenAFullScreenProgramEndsUnderIt) {
  start();
  const support::Gate gate(env_.home(), "gate");
  enter("printf '\\033[?1049h\\033[24;1Hbot''tom'; " + gate.wait() + "; printf '\\033[?1049l'; echo after''wards");
  ASSERT_TRUE(jms_->wait_for_screen("bottom"));
  ASSERT_TRUE(open_panel());
  gate.open();
  EXPECT_TRUE(jms_->wait_for_screen("afterwards\n$")) << jms_->screen_text();
  EXPECT_TRUE(panel_is_open());
}

TEST_F(PanelTest, OpensAndClosesThoughTheRemoteHoldsBackItsPicture) {
  start();
  enter("printf '\\033[?2026hheld ba''ck'; sleep 100");
  ASSERT_TRUE(jms_->wait_for("held back"));
  ASSERT_TRUE(open_panel());
  ASSERT_TRUE(close_panel());
  jms_->send("\x03");
  EXPECT_TRUE(command("printf '\\033[?2026l'"));
}

TEST_F(PanelTest, FocusReportsDoNotLandInItsInput) {
  start();
  enter("printf '\\033[?1004hwatch''ing'; sleep 100");
  ASSERT_TRUE(jms_->wait_for("watching"));
  ASSERT_TRUE(open_panel());
  jms_->send("\x1b[O\x1b[Iquestion");
  ASSERT_TRUE(jms_->wait_for_screen("› question")) << jms_->screen_text();
}

TEST_F(PanelTest, VimMayStartUnderIt) {
  start();
  ASSERT_TRUE(command("echo before-vim"));
  const support::Gate gate(env_.home(), "gate");
  const auto file = script("note.txt", "inside vim\n");
  enter(gate.wait() + "; vim " + file);
  pause(Ms(50));
  ASSERT_TRUE(open_panel());
  gate.open();
  ASSERT_TRUE(jms_->wait_for_screen("inside vim"));
  jms_->settle(Ms(200));
  ASSERT_TRUE(close_panel());
  EXPECT_TRUE(jms_->screen().alternate());
  EXPECT_TRUE(shows("inside vim")) << jms_->screen_text();
  jms_->send(":q!\r");
  ASSERT_TRUE(jms_->wait_for_screen("before-vim")) << jms_->screen_text();
  EXPECT_FALSE(jms_->screen().alternate());
  EXPECT_TRUE(command("true"));
}

TEST_F(PanelTest, OpensThoughTheRemoteLeftASequenceUnfinished) {
  start();
  enter("printf '\\033]0;never en''ds'; sleep 100");
  ASSERT_TRUE(jms_->wait_for("never ends"));
  jms_->send(kHotkey);
  EXPECT_TRUE(wait_for_panel());
}

TEST_F(PanelTest, ASecondHotkeyFromTheConfigWorksInstead) {
  env_.write_config("hotkey = \"ctrl-g\"\n");
  start();
  ASSERT_TRUE(start_listening());
  jms_->send("\x1d\r");
  ASSERT_TRUE(jms_->wait_for_screen("^]"));
  EXPECT_FALSE(panel_is_open());
  EXPECT_TRUE(open_panel("\x07"));
}

TEST_F(PanelTest, TheShellMayEndWhileItIsOpen) {
  start();
  const support::Gate gate(env_.home(), "gate");
  enter(gate.wait() + "; echo last wo''rds; exit 9");
  pause(Ms(50));
  ASSERT_TRUE(open_panel());
  gate.open();
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{9, 0}));
  EXPECT_FALSE(jms_->screen().alternate());
  EXPECT_TRUE(shows("last words")) << jms_->screen_text();
  EXPECT_FALSE(panel_is_open());
}

}  // namespace
}  // namespace app
