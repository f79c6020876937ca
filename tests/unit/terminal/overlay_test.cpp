#include "terminal/overlay.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "terminal/glyph.h"

namespace terminal {
namespace {

constexpr base::Size kTerminal{10, 30};

/// A session seen twice: the shadow that jms keeps, and the operator's terminal, played by a second Screen.
class Session {
 public:
  void remote(std::string_view bytes) {
    shadow_.write(bytes);
    if (overlay_.is_open())
      overlay_.record(bytes);
    else
      outer_.write(bytes);
  }
  void open() {
    outer_.write(overlay_.open());
    paint();
  }
  void paint() {
    Frame frame(shadow_.size());
    for (int row = 0; row < shadow_.size().rows; ++row) frame.rows[static_cast<std::size_t>(row)] = shadow_.row(row);
    for (int row = 5; row < shadow_.size().rows; ++row)
      frame.fill(row, 0, shadow_.size().cols, {.attributes = kReverse});
    frame.put_text(6, 0, "the panel", {}, 30);
    outer_.write(overlay_.paint(frame));
  }
  void close() { outer_.write(overlay_.close()); }
  void resize(base::Size size) {
    shadow_.resize(size);
    outer_.resize(size);
    if (overlay_.is_open()) overlay_.resized();
  }

  Screen& shadow() { return shadow_; }
  Screen& outer() { return outer_; }
  Overlay& overlay() { return overlay_; }

 private:
  Screen shadow_{{.size = kTerminal, .scrollback_lines = 200}};
  Screen outer_{{.size = kTerminal, .scrollback_lines = 400}};
  Capabilities capabilities_{.colors = ColorDepth::truecolor, .styled_underline = true, .cursor_shape = true};
  Overlay overlay_{shadow_, capabilities_};
};

/// A row as it shows: an empty cell and a space are the same.
std::vector<Cell> looks(const Screen& screen, int row) {
  std::vector<Cell> cells;
  shown_row(screen.row(row), screen.size().cols, {.colors = ColorDepth::truecolor, .styled_underline = true}, cells);
  return cells;
}

/// Which mode switched an alternate screen on matters only while it is on.
Modes comparable(Modes modes) {
  if (!modes.alternate) modes.alternate_mode = Modes{}.alternate_mode;
  return modes;
}

/// What an operator could tell apart: cells, cursor, modes, and all text that can be scrolled back to.
void expect_same(const Screen& actual, const Screen& expected) {
  for (int row = 0; row < expected.size().rows; ++row) {
    EXPECT_EQ(row_text(actual.row(row)), row_text(expected.row(row))) << "row " << row;
    EXPECT_TRUE(looks(actual, row) == looks(expected, row)) << "looks of row " << row;
  }
  EXPECT_EQ(actual.cursor().row, expected.cursor().row);
  EXPECT_EQ(actual.cursor().col, expected.cursor().col);
  EXPECT_EQ(actual.cursor().visible, expected.cursor().visible);
  EXPECT_EQ(actual.wrap_pending(), expected.wrap_pending());
  EXPECT_EQ(actual.alternate(), expected.alternate());
  EXPECT_TRUE(comparable(actual.modes()) == comparable(expected.modes()));
  EXPECT_EQ(actual.text(actual.first_line(), actual.end_line()),
            expected.text(expected.first_line(), expected.end_line()));
}

/// Plays `before`, opens, plays `during`, closes, plays `after`; the terminal must end as if nothing had happened.
void expect_no_trace(std::string_view before, std::string_view during, std::string_view after) {
  Session session;
  session.remote(before);
  session.open();
  session.remote(during);
  session.paint();
  session.close();
  session.remote(after);
  Screen plain({.size = kTerminal, .scrollback_lines = 200});
  for (const auto part : {before, during, after}) plain.write(part);
  expect_same(session.outer(), plain);
}

std::string lines(int from, int to) {
  std::string text;
  for (int i = from; i < to; ++i) text += "line " + std::to_string(i) + "\r\n";
  return text;
}

TEST(Overlay, LeavesNoTraceOnAQuietScreen) {
  expect_no_trace("$ ls\r\nfile\r\n$ ", "", "echo\r\n");
}

TEST(Overlay, PutsOutputThatCameMeanwhileIntoScreenAndScrollback) {
  expect_no_trace(lines(0, 20), lines(20, 60), lines(60, 65));
}

TEST(Overlay, KeepsEveryModeTheRemoteHadSet) {
  expect_no_trace(
      "\x1b[?1h\x1b=\x1b[?2004h\x1b[?1002h\x1b[?1006h\x1b[?1004h\x1b[3;8r\x1b[?6h\x1b[4h\x1b[5 q\x1b[?25l"
      "\x1b[1;3;38;2;1;2;3;48;5;99m\x1b[4:3m\x1b[58;2;9;8;7m\x1b(0\x1b[>1u\x1b[>4;2m",
      "", "x");
}

TEST(Overlay, KeepsACursorThatWaitsToWrap) {
  expect_no_trace("\x1b[32m" + std::string(30, 'w'), "", "next");
}

TEST(Overlay, KeepsACursorThatWaitsToWrapBehindAWideCharacter) {
  expect_no_trace("\x1b(0\x1b[44m" + std::string(28, 'q') + "\x1b(B中", "", "next");
}

TEST(Overlay, KeepsTheRemotesSavedCursor) {
  expect_no_trace(
      "ab\x1b"
      "7\r\n\r\ncd",
      "",
      "\x1b"
      "8X");
}

TEST(Overlay, OpensOverAFullScreenProgram) {
  expect_no_trace("shell\r\n\x1b[?1049h\x1b[Hvim\x1b[5;5Hhere", "\x1b[2;2Hmore", "!");
}

TEST(Overlay, FollowsAFullScreenProgramThatEndsMeanwhile) {
  expect_no_trace("shell\r\n\x1b[?1049h\x1b[Hvim\x1b[5;5Hhere", "\x1b[?1049l$ \r\nback\r\n", "$ ");
}

TEST(Overlay, FollowsAFullScreenProgramThatStartsMeanwhile) {
  expect_no_trace("shell\r\n$ vim\r\n", "\x1b[?1049h\x1b[Hvim\x1b[5;5Hhere", "!");
}

TEST(Overlay, AsksTheTerminalNothingAgain) {
  Session session;
  session.open();
  session.remote("a\x1b[6nb\x1b[c");
  std::string answers;
  session.outer().on_reply([&](std::string_view reply) { answers += reply; });
  session.close();
  EXPECT_EQ(answers, "");
  EXPECT_EQ(row_text(session.outer().row(0)), "ab");
}

TEST(Overlay, RebuildsScreenAndScrollbackWhenTheLogOverflows) {
  Session session;
  session.remote("first\r\n");
  session.open();
  const std::string flood = lines(0, 150);
  session.remote("\x1b[31m");
  for (std::size_t sent = 0; sent < Overlay::kLogLimit; sent += flood.size()) session.remote(flood);
  session.remote("\x1b[m$ ");
  session.close();
  const Screen& shadow = session.shadow();
  const std::string kept = shadow.text(shadow.first_line(), shadow.end_line());
  EXPECT_TRUE(session.outer().text(session.outer().first_line(), session.outer().end_line()).ends_with(kept));
  for (int row = 0; row < kTerminal.rows; ++row) EXPECT_TRUE(looks(session.outer(), row) == looks(shadow, row)) << row;
  EXPECT_EQ(session.outer().cursor(), shadow.cursor());
}

TEST(Overlay, SaysHowMuchWentByWhenEvenTheShadowForgotIt) {
  Session session;
  session.open();
  for (std::size_t sent = 0; sent < Overlay::kLogLimit; sent += 1'000) session.remote(lines(1'000, 1'100));
  session.close();
  const std::string text = session.outer().text(session.outer().first_line(), session.outer().end_line());
  EXPECT_NE(text.find("lines went by while the panel was open"), std::string::npos);
}

TEST(Overlay, RepaintsAFullScreenProgramAfterAnOverflow) {
  Session session;
  session.remote("shell\r\n\x1b[?1049h");
  session.open();
  for (std::size_t sent = 0; sent <= Overlay::kLogLimit; sent += 40)
    session.remote("\x1b[Htick\x1b[5;5H\x1b[7mtock\x1b[m            ");
  session.close();
  for (int row = 0; row < kTerminal.rows; ++row)
    EXPECT_TRUE(looks(session.outer(), row) == looks(session.shadow(), row)) << row;
  session.remote("\x1b[?1049l$ ");
  EXPECT_EQ(row_text(session.outer().row(0)), "shell");
  EXPECT_EQ(row_text(session.outer().row(1)), "$");
}

TEST(Overlay, SurvivesAResizeWhileOpen) {
  Session session;
  session.remote(lines(0, 8) + "$ ");
  session.open();
  session.resize({14, 40});
  session.paint();
  session.remote("typed\r\n$ ");
  session.close();
  for (int row = 0; row < 14; ++row) EXPECT_EQ(row_text(session.outer().row(row)), row_text(session.shadow().row(row)));
  EXPECT_EQ(session.outer().cursor(), session.shadow().cursor());
}

TEST(Overlay, EndsAHalfWaySequenceBeforeItPaints) {
  Session session;
  session.remote("before\x1b]0;a title that never");
  session.open();
  EXPECT_EQ(row_text(session.outer().row(6)), "the panel");
}

TEST(Overlay, ExitSequenceLeavesAPlainTerminalFromEveryState) {
  for (const bool open : {false, true}) {
    for (const char* state : {"", "\x1b[?1049h", "\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[?25l\x1b[3;5r\x1b[31m\x1b(0"}) {
      SCOPED_TRACE(std::string(open ? "open " : "closed ") + (state[0] ? state + 1 : ""));
      Session session;
      session.remote("text\r\n");
      session.remote(state);
      if (open) session.open();
      session.outer().write(session.overlay().exit_sequence());
      const Modes& left = session.outer().modes();
      EXPECT_FALSE(left.alternate);
      EXPECT_EQ(left.mouse_tracking, 0);
      EXPECT_FALSE(left.bracketed_paste);
      EXPECT_TRUE(left.cursor_visible);
      EXPECT_EQ(left.margin_bottom, -1);
      EXPECT_EQ(left.pen, Style{});
      EXPECT_EQ(row_text(session.outer().row(0)), "text");
    }
  }
}

TEST(Overlay, WritesNothingOnLeavingAnUntouchedTerminal) {
  Session session;
  session.remote("text\r\n");
  EXPECT_EQ(session.overlay().exit_sequence(), "");
}

/// Pieces of what programs really send, put together at random.
std::string random_output(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {"plain words ",
                                                   "\r\n",
                                                   "\r\n\r\n",
                                                   "\x1b[1;31mred\x1b[m",
                                                   "\x1b[K",
                                                   "中文",
                                                   "\x1b[H\x1b[2J",
                                                   "\x1b[5;5Hthere",
                                                   "\x1b[2;7r",
                                                   "\x1b[r",
                                                   "\x1b[?1049h",
                                                   "\x1b[?1049l",
                                                   "\x1b(0lqqk\x1b(B",
                                                   "\x1b[?25l",
                                                   "\x1b[?25h",
                                                   "\x1b[3S",
                                                   "\x1b[2L",
                                                   "\x1b[P",
                                                   "\x1b"
                                                   "7",
                                                   "\x1b"
                                                   "8",
                                                   "\x1b[?6h",
                                                   "\x1b[?6l",
                                                   "\x1b[4h",
                                                   "\x1b[4l",
                                                   "\t",
                                                   "\b",
                                                   std::string(30, '='),
                                                   std::string(45, '-'),
                                                   "e\u0301",
                                                   "\x1b[?2004h",
                                                   "\x1b[?1000h",
                                                   "\x1b[?1000l",
                                                   "\x1b[48;5;22m",
                                                   "\x1b[0m",
                                                   "\x1b[?7l",
                                                   "\x1b[?7h"};
  std::string output;
  for (int i = 0; i < 12; ++i) output += kPieces[random() % kPieces.size()];
  return output;
}

TEST(Overlay, LeavesNoTraceInRandomSessions) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Session session;
    Screen plain({.size = kTerminal, .scrollback_lines = 200});
    for (int step = 0; step < 6; ++step) {
      const std::string output = random_output(random);
      plain.write(output);
      session.remote(output);
      if (random() % 2 == 0) session.overlay().is_open() ? session.close() : session.open();
    }
    if (session.overlay().is_open()) session.close();
    expect_same(session.outer(), plain);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace terminal
