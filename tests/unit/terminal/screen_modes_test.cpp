#include <gtest/gtest.h>

#include "tests/unit/terminal/screen_helpers.h"

namespace terminal {
namespace {

using At = std::pair<int, int>;

TEST(ScreenModes, SwitchesToTheAlternateScreenAndBackBy1049WithTheCursor) {
  TestScreen screen;
  screen.feed("main\x1b[?1049h");
  EXPECT_TRUE(screen.screen().alternate());
  EXPECT_EQ(screen.lines(), "\n\n\n\n");
  screen.feed("\x1b[3;3Halt\x1b[?1049l");
  EXPECT_FALSE(screen.screen().alternate());
  EXPECT_EQ(screen.line(0), "main");
  EXPECT_EQ(screen.at(), At(0, 4));
  screen.feed("\x1b[?1049h");
  EXPECT_EQ(screen.lines(), "\n\n\n\n");
}

TEST(ScreenModes, Mode47KeepsWhatTheAlternateScreenHeldAnd1047ClearsItOnLeaving) {
  TestScreen screen;
  screen.feed("m\x1b[?47ha\x1b[?47l");
  EXPECT_EQ(screen.at(), At(0, 2));
  EXPECT_EQ(screen.line(0), "m");
  screen.feed("\x1b[?47h");
  EXPECT_EQ(screen.line(0), " a");
  screen.feed("\x1b[?1047l\x1b[?47h");
  EXPECT_EQ(screen.line(0), "");
}

TEST(ScreenModes, Mode1048SavesTheCursor) {
  TestScreen screen;
  screen.feed("ab\x1b[?1048h\x1b[3;3H\x1b[?1048l");
  EXPECT_EQ(screen.at(), At(0, 2));
}

TEST(ScreenModes, EachScreenHasItsOwnSavedCursor) {
  TestScreen screen;
  screen.feed(
      "\x1b[2;2H\x1b"
      "7\x1b[?1047h\x1b[3;3H\x1b"
      "7\x1b[H\x1b[?1047l\x1b"
      "8");
  EXPECT_EQ(screen.at(), At(1, 1));
  screen.feed(
      "\x1b[?1047h\x1b"
      "8");
  EXPECT_EQ(screen.at(), At(2, 2));
}

TEST(ScreenModes, KeepsHistoryAndLinesOfTheMainScreenWhileTheAlternateOneIsOn) {
  TestScreen screen;
  screen.feed("1\r\n2\r\n3\r\n4\r\n5\x1b[?1049hx\r\n\n\n\n\n\ny");
  EXPECT_EQ(screen.screen().text(0, 9), "1\n2\n3\n4\n5\n");
}

TEST(ScreenModes, SavesAndRestoresPenAndCharset) {
  TestScreen screen;
  screen.feed(
      "\x1b[1;31m\x1b(0\x1b"
      "7\x1b[m\x1b(B\x1b"
      "8q");
  EXPECT_EQ(screen.line(0), "─");
  EXPECT_EQ(screen.cell(0, 0).style.attributes, kBold);
  EXPECT_EQ(screen.cell(0, 0).style.foreground, Color::indexed(1));
}

TEST(ScreenModes, RestoringWithoutSavingGoesHomeWithAPlainPen) {
  TestScreen screen;
  screen.feed(
      "\x1b[3;3H\x1b[7m\x1b"
      "8x");
  EXPECT_EQ(screen.line(0), "x");
  EXPECT_EQ(screen.cell(0, 0).style, Style{});
}

TEST(ScreenModes, SurvivesSaveThenShrinkThenRestore) {
  TestScreen screen;
  screen.feed(
      "\x1b[4;10H\x1b"
      "7");
  screen.screen().resize({.rows = 2, .cols = 4});
  screen.feed(
      "\x1b"
      "8xyz\x1b[K\x1b[X");
  EXPECT_EQ(screen.screen().size(), (base::Size{.rows = 2, .cols = 4}));
}

TEST(ScreenModes, DrawsLinesThroughG0AndG1AndSingleShift) {
  TestScreen screen;
  screen.feed(
      "\x1b(0lqk\x1b(Blqk\r\n\x1b)0a\x0eq\x0f"
      "b\r\n\x1b*0\x1bNqq\x1b(A#");
  EXPECT_EQ(screen.line(0), "┌─┐lqk");
  EXPECT_EQ(screen.line(1), "a─b");
  EXPECT_EQ(screen.line(2), "─q£");
}

TEST(ScreenModes, FillsTheScreenForAlignment) {
  TestScreen screen({.rows = 2, .cols = 3});
  screen.feed("\x1b[1;2r\x1b[2;2H\x1b#8");
  EXPECT_EQ(screen.lines(), "EEE\nEEE\n");
  EXPECT_EQ(screen.at(), At(0, 0));
}

TEST(ScreenModes, SoftResetKeepsTextAndCursor) {
  TestScreen screen;
  screen.feed("ab\x1b[2;3r\x1b[?6h\x1b[4h\x1b[?7l\x1b[31m\x1b(0\x1b[?25l\x1b[?1h\x1b[2;2H\x1b[!pq");
  EXPECT_EQ(screen.lines(), "ab\n\n q\n\n");
  EXPECT_EQ(screen.screen().modes(), [] {
    Modes modes;
    return modes;
  }());
}

TEST(ScreenModes, HardResetClearsScreenHistoryAndModes) {
  TestScreen screen;
  screen.feed(
      "1\r\n2\r\n3\r\n4\r\n5\x1b[?1049h\x1b[?2004h\x1b[31m\x1b[3g\x1b[2;3rx\x1b"
      "c");
  EXPECT_EQ(screen.lines(), "\n\n\n\n");
  EXPECT_FALSE(screen.screen().alternate());
  EXPECT_EQ(screen.history(), "");
  EXPECT_EQ(screen.screen().modes(), Modes{});
  EXPECT_EQ(screen.at(), At(0, 0));
}

TEST(ScreenModes, TabsStopEveryEightColumnsAndWhereTheyWereSet) {
  TestScreen screen({.rows = 4, .cols = 30});
  screen.feed("\tx\ty");
  EXPECT_EQ(screen.at(), At(0, 17));
  screen.feed("\r\n\x1b[3g\x1b[5G\x1bH\x1b[12G\x1bH\r\ta\tb\t");
  EXPECT_EQ(screen.line(1), "    a      b");
  EXPECT_EQ(screen.at(), At(1, 29));
  EXPECT_EQ(screen.screen().modes().tab_stops, (std::vector<int>{4, 11}));
  screen.feed("\x1b[2Zz\x1b[5G\x1b[g\r\tc");
  EXPECT_EQ(screen.line(1), "    z      c");
}

TEST(ScreenModes, TabsReachNewColumnsAfterAResize) {
  TestScreen screen({.rows = 2, .cols = 10});
  screen.screen().resize({.rows = 2, .cols = 40});
  screen.feed("\t\t\tx");
  EXPECT_EQ(screen.at(), At(0, 25));
}

TEST(ScreenModes, TracksCursorShapeAndVisibility) {
  TestScreen screen;
  screen.feed("\x1b[4 q\x1b[?25l");
  EXPECT_EQ(screen.screen().cursor().shape, CursorShape::underline);
  EXPECT_FALSE(screen.screen().cursor().blink);
  EXPECT_FALSE(screen.screen().cursor().visible);
  screen.feed("\x1b[5 q\x1b[?25h");
  EXPECT_EQ(screen.screen().cursor().shape, CursorShape::bar);
  EXPECT_TRUE(screen.screen().cursor().blink);
}

TEST(ScreenModes, TakesEveryModeOfAListAtOnce) {
  TestScreen screen;
  screen.feed("\x1b[?1006;1000;2004;1004;25;1l\x1b[?1006;1000;2004;1004;1h");
  const Modes& modes = screen.screen().modes();
  EXPECT_EQ(modes.mouse_encoding, 1006);
  EXPECT_EQ(modes.mouse_tracking, 1000);
  EXPECT_TRUE(modes.bracketed_paste && modes.focus_events && modes.application_cursor);
  EXPECT_FALSE(modes.cursor_visible);
}

TEST(ScreenModes, TracksKeyProtocolsSeparatelyForEachScreenAndBounded) {
  TestScreen screen;
  screen.feed("\x1b[>1u\x1b[>5u\x1b[=2;2u\x1b[>4;2m");
  EXPECT_EQ(screen.screen().modes().kitty_keyboard, (std::vector<int>{1, 7}));
  EXPECT_EQ(screen.screen().modes().modify_other_keys, 2);
  screen.feed("\x1b[?1049h");
  EXPECT_TRUE(screen.screen().modes().kitty_keyboard.empty());
  screen.feed("\x1b[?1049l\x1b[<1u\x1b[>4m");
  EXPECT_EQ(screen.screen().modes().kitty_keyboard, (std::vector<int>{1}));
  EXPECT_EQ(screen.screen().modes().modify_other_keys, 0);
  for (int i = 0; i < 1000; ++i) screen.feed("\x1b[>3u");
  EXPECT_LE(screen.screen().modes().kitty_keyboard.size(), 16u);
}

TEST(ScreenModes, SavesAndRestoresPrivateModes) {
  TestScreen screen;
  screen.feed("\x1b[?2004h\x1b[?2004;1000s\x1b[?2004l\x1b[?1000h\x1b[?2004;1000r");
  EXPECT_TRUE(screen.screen().modes().bracketed_paste);
  EXPECT_EQ(screen.screen().modes().mouse_tracking, 0);
}

TEST(ScreenModes, SelectiveEraseLeavesProtectedCells) {
  TestScreen screen;
  screen.feed("\x1b[1\"qab\x1b[0\"qcd\x1b[?2K");
  EXPECT_EQ(screen.line(0), "ab");
  screen.feed("\x1b[2K");
  EXPECT_EQ(screen.line(0), "");
}

TEST(ScreenModes, KnowsWhenItIsBetweenSequences) {
  TestScreen screen;
  for (const char* half : {"\x1b", "\x1b[", "\x1b[3", "\x1b]0;x", "\x1b]0;x\x1b", "\x1bP", "\xE2\x82", "\x1b("}) {
    SCOPED_TRACE(half + 1);
    screen.feed(half);
    EXPECT_FALSE(screen.screen().between_sequences());
    screen.feed("\x18 ");
    EXPECT_TRUE(screen.screen().between_sequences());
  }
}

TEST(ScreenModes, SaysWhenTextScrollsPlainly) {
  TestScreen screen;
  EXPECT_TRUE(screen.screen().scrolls_plainly());
  for (const char* bytes : {"\x1b[2;3r", "\x1b[4h", "\x1b[?7l", "\x1b[?69h", "\x1b(0", "\x1b[?1049h", "\x1b["}) {
    SCOPED_TRACE(bytes + 1);
    TestScreen other;
    other.feed(bytes);
    EXPECT_FALSE(other.screen().scrolls_plainly());
  }
}

}  // namespace
}  // namespace terminal
