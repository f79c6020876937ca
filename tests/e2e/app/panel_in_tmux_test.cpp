// The panel inside tmux: screen, colours, cursor, modes and history after it are those of a session without it.

#include "tests/e2e/app/session_fixture.h"
#include "tests/support/describe_modes.h"

namespace app {
namespace {

using support::Gate;
using support::Tmux;

class PanelInTmux : public TmuxSession {
 protected:
  std::string script(const std::string& text) { return "sh " + env_.home().write("script.sh", text); }

  /// The screen cell by cell, with cursor and modes. An alternate screen is painted anew on closing; the text colour
  /// of a blank cell may then be lost, which nobody can see.
  std::string what_one_sees() {
    terminal::Screen screen({.size = {24, 80}});
    std::string bytes = tmux_->capture(Part::screen, Look::with_escapes);
    if (bytes.ends_with('\n')) bytes.pop_back();
    for (const char byte : bytes) screen.write(byte == '\n' ? "\r\n" : std::string_view(&byte, 1));
    std::string text;
    for (int row = 0; row < 24; ++row) {
      for (const auto& cell : screen.row(row).cells) {
        const bool bare = cell.blank() && cell.style.background.is_default() && cell.style.attributes == 0;
        terminal::append_cell_text(text, cell);
        if (!bare) text += "<" + support::describe(cell.style) + ">";
      }
      text += "\n";
    }
    return text + state();
  }
};

TEST_F(PanelInTmux, TheScreenUnderneathComesBackExactly) {
  start();
  ASSERT_TRUE(
      command("seq 1 100; ls --color=always -l /; printf '\\033[1;33;44mcolour\\033[m 漢字 \\033[4mline\\033[m\\n'"));
  tmux_->settle();
  const auto before = everything();
  ASSERT_TRUE(open_panel());
  EXPECT_NE(everything(), before);
  ASSERT_TRUE(close_panel());
  EXPECT_EQ(everything(), before);
}

TEST_F(PanelInTmux, AHalfFilledScreenComesBackExactly) {
  start();
  ASSERT_TRUE(command("echo one"));
  tmux_->type("half typed");
  tmux_->settle();
  const auto before = everything();
  ASSERT_TRUE(open_panel());
  ASSERT_TRUE(close_panel());
  EXPECT_EQ(everything(), before);
}

TEST_F(PanelInTmux, OpenedAndClosedManyTimesItLeavesNothing) {
  start();
  ASSERT_TRUE(command("seq 1 50; printf '\\033[32mgreen\\n'"));
  tmux_->settle();
  const auto before = everything();
  for (int round = 0; round < 20; ++round) {
    tmux_->send_raw(kHotkey);
    ASSERT_TRUE(tmux_->wait_until([&] { return tmux_->ask("#{alternate_on}") == "1"; }));
    tmux_->send_keys({"Escape"});
    ASSERT_TRUE(tmux_->wait_until([&] { return tmux_->ask("#{alternate_on}") == "0"; }));
  }
  tmux_->settle();
  EXPECT_EQ(everything(), before);
}

TEST_F(PanelInTmux, OutputThatCameWhileOpenIsInTheNativeScrollback) {
  start();
  const Gate gate(env_.home(), "gate");
  enter(script("seq 1 30\n" + gate.wait() + "\nseq 1001 1500\n"));
  ASSERT_TRUE(tmux_->wait_for_text("^30$"));
  ASSERT_TRUE(open_panel());
  gate.open();
  ASSERT_TRUE(tmux_->wait_for_text("^1500$"));
  ASSERT_TRUE(close_panel());
  std::string expected;
  for (int number = 1001; number <= 1500; ++number) expected += std::to_string(number) + "\n";
  EXPECT_NE(tmux_->capture(Part::with_history).find("30\n" + expected + "$"), std::string::npos);
}

/// Runs a script once undisturbed and once with the panel opened and closed; both must end the same.
class FloodUnderPanel : public PanelInTmux {
 protected:
  void run_both(
      const std::string& text, const std::function<void()>& disturb, Part compared,
      const std::function<void()>& leave_alone = [] {}) {
    std::string expected;
    for (const auto& meanwhile : {leave_alone, disturb}) {
      start();
      enter(script(text));
      meanwhile();
      ASSERT_TRUE(tmux_->wait_for_text("the end\n\\$", std::chrono::milliseconds(30'000)));
      tmux_->settle();
      if (expected.empty()) {
        expected = seen(compared);
      } else {
        EXPECT_TRUE(seen(compared) == expected) << tmux_->capture();
      }
    }
  }
  std::string seen(Part part) {
    return part == Part::with_history ? everything() : tmux_->capture(Part::screen, Look::with_escapes);
  }
  void flip() {
    tmux_->send_raw(kHotkey);
    EXPECT_TRUE(tmux_->wait_until([&] { return tmux_->ask("#{alternate_on}") == "1"; }));
    tmux_->send_keys({"Escape"});
    EXPECT_TRUE(tmux_->wait_until([&] { return tmux_->ask("#{alternate_on}") == "0"; }));
  }
};

TEST_F(FloodUnderPanel, EndsAsItWouldHaveWithoutThePanel) {
  const std::string flood =
      "i=0; while [ $i -lt 20000 ]; do echo \"line $i of a flood that goes on\"; i=$((i+1)); done; echo the end\n";
  run_both(
      flood,
      [&] {
        ASSERT_TRUE(tmux_->wait_for_text("of a flood"));
        for (int round = 0; round < 5; ++round) flip();
      },
      Part::with_history);
}

TEST_F(FloodUnderPanel, EndsTheSameWhenColouredOutputIsCutAnywhere) {
  const std::string flood =
      "i=0; while [ $i -lt 8000 ]; do printf '\\033[3%dm%d 漢字\\033[1m bold\\033[0m\\033[K\\n' $((i%8)) $i; "
      "i=$((i+1)); done; "
      "echo the end\n";
  run_both(
      flood,
      [&] {
        ASSERT_TRUE(tmux_->wait_for_text("bold"));
        for (int round = 0; round < 5; ++round) flip();
      },
      Part::with_history);
}

TEST_F(FloodUnderPanel, LeavesTheSameScreenWhenMoreCameThanIsKept) {
  const Gate gate(env_.home(), "gate");
  const std::string flood = "echo ready\n" + gate.wait() + "\nseq 1 600000\necho the end\n";
  run_both(
      flood,
      [&] {
        ASSERT_TRUE(tmux_->wait_for_text("ready"));
        ASSERT_TRUE(open_panel());
        gate.open();
        ASSERT_TRUE(tmux_->wait_for_text("^the end", std::chrono::milliseconds(30'000)));
        ASSERT_TRUE(close_panel());
      },
      Part::screen, [&] { gate.open(); });
}

TEST_F(PanelInTmux, VimComesBackExactly) {
  start();
  const auto file = env_.home().write("code.c", "int main(void) {\n\treturn 0; /* 漢字 */\n}\n");
  enter("vim -c 'syntax on' " + file);
  ASSERT_TRUE(tmux_->wait_for_text("return 0"));
  tmux_->settle();
  const auto before = what_one_sees();
  ASSERT_TRUE(open_panel());
  ASSERT_TRUE(close_panel());
  EXPECT_EQ(what_one_sees(), before);
  tmux_->type(":q");
  tmux_->send_keys({"Enter"});
  EXPECT_TRUE(tmux_->wait_until([&] { return tmux_->ask("#{alternate_on}") == "0"; }));
  EXPECT_TRUE(command("true"));
}

TEST_F(PanelInTmux, LessComesBackExactly) {
  start();
  enter("seq 1 300 | less");
  ASSERT_TRUE(tmux_->wait_for_text("^23$"));
  tmux_->send_keys({"Space"});
  ASSERT_TRUE(tmux_->wait_for_text("^46$"));
  const auto before = what_one_sees();
  ASSERT_TRUE(open_panel());
  ASSERT_TRUE(close_panel());
  EXPECT_EQ(what_one_sees(), before);
  tmux_->send_keys({"q"});
  ASSERT_TRUE(tmux_->wait_for_text("less\n\\$"));
  EXPECT_TRUE(command("true"));
}

TEST_F(PanelInTmux, ResizesWhileOpen) {
  start();
  ASSERT_TRUE(command("seq 1 40"));
  ASSERT_TRUE(open_panel());
  tmux_->resize({30, 100});
  EXPECT_TRUE(tmux_->wait_for_text(kPanelMark));
  tmux_->settle();
  ASSERT_TRUE(close_panel());
  ASSERT_TRUE(command("stty size"));
  EXPECT_TRUE(tmux_->wait_for_text("^30 100$"));
  EXPECT_TRUE(tmux_->wait_for_text("^40$")) << tmux_->capture();
}

TEST_F(PanelInTmux, APasteWithTheHotkeyInItIsNotTaken) {
  start();
  enter("printf '\\033[?2004h'; cat -v");
  tmux_->settle();
  tmux_->paste("some \x1d text");
  tmux_->send_keys({"Enter"});
  EXPECT_TRUE(tmux_->wait_for_text("some \\^\\] text")) << tmux_->capture();
  EXPECT_EQ(tmux_->ask("#{alternate_on}"), "0");
}

TEST_F(PanelInTmux, TheExitCodeReachesTheOuterShell) {
  start();
  enter("exit 6");
  EXPECT_EQ(tmux_->wait_for_exit(), 6);
}

}  // namespace
}  // namespace app
