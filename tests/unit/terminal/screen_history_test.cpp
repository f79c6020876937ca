#include <gtest/gtest.h>

#include "terminal/scrollback.h"
#include "tests/unit/terminal/screen_helpers.h"

namespace terminal {
namespace {

using At = std::pair<int, int>;

std::string numbered(int from, int to) {
  std::string out;
  for (int i = from; i < to; ++i) out += std::to_string(i) + "\r\n";
  return out;
}

TEST(ScreenHistory, KeepsLinesThatScrollOff) {
  TestScreen screen;
  screen.feed("1\r\n2\r\n3\r\n4\r\n5\r\n6");
  EXPECT_EQ(screen.lines(), "3\n4\n5\n6\n");
  EXPECT_EQ(screen.history(), "1\n2\n");
  EXPECT_EQ(screen.screen().text(0, 100), "1\n2\n3\n4\n5\n6\n");
  EXPECT_EQ(screen.screen().end_line(), 6u);
}

TEST(ScreenHistory, DropsTheOldestLinesFirstAndGoesOnCounting) {
  TestScreen screen({.rows = 4, .cols = 10}, 5);
  screen.feed(numbered(0, 20));
  EXPECT_EQ(screen.screen().first_line(), 12u);
  EXPECT_EQ(screen.screen().end_line(), 21u);
  EXPECT_EQ(screen.history(), "12\n13\n14\n15\n16\n");
}

TEST(ScreenHistory, WorksWithoutAnyHistory) {
  TestScreen screen({.rows = 2, .cols = 10}, 0);
  screen.feed(numbered(0, 5));
  EXPECT_EQ(screen.screen().first_line(), 4u);
  EXPECT_EQ(screen.screen().text(0, 99), "4\n\n");
}

TEST(ScreenHistory, KeepsStylesWideCharactersAndMarks) {
  TestScreen screen;
  const std::string first = "\x1b[1;31mred\x1b[m 中e\u0301\x1b[44m \x1b[m";
  screen.feed(first);
  const Row before = screen.screen().row(0);
  screen.feed("\r\n\n\n\n");
  EXPECT_EQ(screen.screen().line_row(0), before);
}

TEST(ScreenHistory, JoinsALineThatReachesFromTheHistoryIntoTheScreen) {
  TestScreen screen;
  screen.feed("0123456789abcdefghij0123456789ABCDEFGHIJxyz");
  EXPECT_EQ(screen.history(), "0123456789\n");
  EXPECT_EQ(screen.screen().text(0, 99), "0123456789abcdefghij0123456789ABCDEFGHIJxyz\n");
  EXPECT_EQ(screen.screen().line_at_cursor(), "0123456789abcdefghij0123456789ABCDEFGHIJxyz");
}

TEST(ScreenHistory, TellsTheLineAtTheCursor) {
  TestScreen screen;
  screen.feed("first\r\n$ ls -l --color\r\n");
  EXPECT_EQ(screen.screen().line_at_cursor(), "");
  screen.feed("\x1b[2;3H");
  EXPECT_EQ(screen.screen().line_at_cursor(), "$ ls -l --color");
  screen.feed("\x1b[3;1H");
  EXPECT_EQ(screen.screen().line_at_cursor(), "$ ls -l --color");
}

TEST(ScreenHistory, Erase3ClearsTheHistoryAndNothingElse) {
  TestScreen screen;
  screen.feed("1\r\n2\r\n3\r\n4\r\n5\x1b[3J");
  EXPECT_EQ(screen.history(), "");
  EXPECT_EQ(screen.lines(), "2\n3\n4\n5\n");
}

TEST(ScreenHistory, CountsEveryVisibleChange) {
  TestScreen screen;
  for (const char* bytes : {"a", "\r", "\n", "\x1b[2;2H", "\x1b[2J", "\x1b[?25l", "\x1b[?1049h", "\x1b[3 q", "\x1b[5L",
                            "\x1b]2;t\x07", "e", "\u0301"}) {
    SCOPED_TRACE(bytes);
    const std::uint64_t before = screen.screen().change_count();
    screen.feed(bytes);
    EXPECT_GT(screen.screen().change_count(), before);
  }
  const std::uint64_t before = screen.screen().change_count();
  screen.feed("\x1b[1m\x1b[?2004h\a");
  EXPECT_EQ(screen.screen().change_count(), before);
}

TEST(ScreenResize, LowerScreensMoveTheirTopIntoTheHistoryAndTakeItBack) {
  TestScreen screen;
  screen.feed("1\r\n2\r\n3\r\n4");
  screen.screen().resize({.rows = 2, .cols = 10});
  EXPECT_EQ(screen.lines(), "3\n4\n");
  EXPECT_EQ(screen.history(), "1\n2\n");
  EXPECT_EQ(screen.at(), At(1, 1));
  screen.screen().resize({.rows = 4, .cols = 10});
  EXPECT_EQ(screen.lines(), "1\n2\n3\n4\n");
  EXPECT_EQ(screen.at(), At(3, 1));
  EXPECT_EQ(screen.history(), "");
}

TEST(ScreenResize, RowsBelowTheCursorGoFirst) {
  TestScreen screen;
  screen.feed("1\r\n2\r\n3\x1b[2;1H");
  screen.screen().resize({.rows = 2, .cols = 10});
  EXPECT_EQ(screen.lines(), "1\n2\n");
  EXPECT_EQ(screen.history(), "");
}

TEST(ScreenResize, NarrowerScreensKeepWhatFitsAndHalveNoCharacter) {
  TestScreen screen;
  screen.feed("abc中def");
  screen.screen().resize({.rows = 4, .cols = 4});
  EXPECT_EQ(screen.line(0), "abc");
  EXPECT_EQ(screen.at(), At(0, 3));
  screen.screen().resize({.rows = 4, .cols = 12});
  screen.feed("\rX");
  EXPECT_EQ(screen.line(0), "Xbc");
}

TEST(ScreenResize, TheMainScreenFollowsWhileTheAlternateOneIsShown) {
  TestScreen screen;
  screen.feed("1\r\n2\r\n3\r\n4\x1b[?1049h\x1b[Halt");
  screen.screen().resize({.rows = 2, .cols = 8});
  EXPECT_EQ(screen.lines(), "alt\n\n");
  screen.feed("\x1b[?1049lX");
  EXPECT_EQ(screen.lines(), "3\n4X\n");
  EXPECT_EQ(screen.history(), "1\n2\n");
}

TEST(ScreenResize, TheMainScreenFollowsAlsoWhenNoCursorWasSaved) {
  TestScreen screen;
  screen.feed("1\r\n2\r\n3\r\n4\x1b[?1047h\x1b[H");
  screen.screen().resize({.rows = 2, .cols = 10});
  screen.feed("\x1b[?1047l");
  EXPECT_EQ(screen.lines(), "3\n4\n");
  EXPECT_EQ(screen.history(), "1\n2\n");
}

TEST(ScreenResize, JoinedLinesStayJoinedWithoutGaps) {
  TestScreen screen;
  screen.feed("0123456789abc");
  screen.screen().resize({.rows = 4, .cols = 20});
  EXPECT_EQ(screen.screen().text(0, 2), "0123456789abc\n");
}

TEST(ScreenResize, ClampsImpossibleSizes) {
  TestScreen screen;
  screen.screen().resize({.rows = 0, .cols = 0});
  EXPECT_EQ(screen.screen().size(), (base::Size{.rows = 1, .cols = 2}));
  screen.feed("中x\x1b[b\t\x1bH\x1b[2J");
  screen.screen().resize({.rows = 1'000'000, .cols = -5});
  EXPECT_EQ(screen.screen().size(), (base::Size{.rows = 1000, .cols = 2}));
}

TEST(Scrollback, HoldsTenThousandLogLinesInAFewMegabytes) {
  Screen screen({.size = {.rows = 24, .cols = 80}});
  std::string line = "\x1b[32mINFO\x1b[m 2024-05-01T12:00:00 service[12]: request handled in 12 ms status=200\r\n";
  for (int i = 0; i < 10'100; ++i) screen.write(line);
  EXPECT_EQ(screen.end_line() - screen.first_line(), 10'024u);

  Scrollback history(10'000, 64 << 20);
  const Row row = screen.row(0);
  for (int i = 0; i < 10'000; ++i) history.push(row, 80);
  EXPECT_LT(history.bytes(), 3u << 20);
}

TEST(Scrollback, StaysWithinItsBytes) {
  Screen screen({.size = {.rows = 4, .cols = 1000}, .scrollback_lines = 100'000, .scrollback_bytes = 1 << 20});
  std::string line;
  for (int i = 0; i < 900; ++i) line += "\x1b[38;5;" + std::to_string(i % 256) + "m\U0001D54F\u0301\u0301\u0301\u0301";
  for (int i = 0; i < 300; ++i) screen.write(line + "\r\n");
  EXPECT_LT(screen.end_line() - screen.first_line(), 100u);
  EXPECT_GT(screen.end_line() - screen.first_line(), 10u);
  EXPECT_FALSE(row_text(screen.line_row(screen.first_line())).empty());
}

TEST(Scrollback, GivesBackWhatWasPushedLast) {
  Scrollback history(3, 1 << 20);
  for (char32_t code : {U'a', U'b', U'c', U'd'}) {
    Row row{.cells = std::vector<Cell>(2)};
    row.cells[0].chars[0] = code;
    history.push(row, 2);
  }
  EXPECT_EQ(row_text(history.pop()), "d");
  EXPECT_EQ(row_text(history.pop()), "c");
  EXPECT_EQ(row_text(history.pop()), "b");
  EXPECT_TRUE(history.empty());
  Row row{.cells = std::vector<Cell>(2), .wrapped = true};
  history.push(row, 0);
  EXPECT_TRUE(history.wrapped(history.first()));
}

}  // namespace
}  // namespace terminal
