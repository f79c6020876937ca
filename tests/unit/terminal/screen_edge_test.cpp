// What ends a pending wrap and what does not, as probed on xterm 379: "0123456789" fills the second row of four.
#include <gtest/gtest.h>

#include "tests/unit/terminal/screen_helpers.h"

namespace terminal {
namespace {

using At = std::pair<int, int>;

struct EdgeCase {
  const char* name;
  const char* bytes;
  const char* lines;  ///< After one more X.
  friend std::ostream& operator<<(std::ostream& out, const EdgeCase& edge) { return out << edge.name; }
};

class ScreenEdge : public testing::TestWithParam<EdgeCase> {};

TEST_P(ScreenEdge, ThenPrintsWhereXtermDoes) {
  TestScreen screen;
  screen.feed("ab\x1b[2;1H0123456789").feed(GetParam().bytes).feed("X");
  EXPECT_EQ(screen.lines(), GetParam().lines);
}

INSTANTIATE_TEST_SUITE_P(
    PendingWrap, ScreenEdge,
    testing::Values(EdgeCase{"Nothing", "", "ab\n0123456789\nX\n\n"},
                    EdgeCase{"CarriageReturn", "\r", "ab\nX123456789\n\n\n"},
                    EdgeCase{"LineFeed", "\n", "ab\n0123456789\n         X\n\n"},
                    EdgeCase{"Backspace", "\b", "ab\n01234567X9\n\n\n"}, EdgeCase{"Tab", "\t", "ab\n0123456789\nX\n\n"},
                    EdgeCase{"Colour", "\x1b[1m", "ab\n0123456789\nX\n\n"},
                    EdgeCase{"EraseRight", "\x1b[K", "ab\n012345678X\n\n\n"},
                    EdgeCase{"EraseLeft", "\x1b[1K", "ab\n         X\n\n\n"},
                    EdgeCase{"EraseCharacter", "\x1b[X", "ab\n012345678X\n\n\n"},
                    EdgeCase{"Delete", "\x1b[P", "ab\n012345678X\n\n\n"},
                    EdgeCase{"Forward", "\x1b[C", "ab\n012345678X\n\n\n"},
                    EdgeCase{"ToTheSameColumn", "\x1b[10G", "ab\n012345678X\n\n\n"},
                    EdgeCase{"ToTheSamePlace", "\x1b[2;10H", "ab\n012345678X\n\n\n"},
                    EdgeCase{"SaveAndRestore",
                             "\x1b"
                             "7\x1b[H\x1b"
                             "8",
                             "ab\n0123456789\nX\n\n"},
                    EdgeCase{"WrapOff", "\x1b[?7l", "ab\n012345678X\n\n\n"},
                    EdgeCase{"WrapOffAndOn", "\x1b[?7l\x1b[?7h", "ab\n0123456789\nX\n\n"},
                    EdgeCase{"ScrollUp", "\x1b[S", "0123456789\n\nX\n\n"},
                    EdgeCase{"SoftReset", "\x1b[!p", "ab\n0123456789\nX\n\n"},
                    EdgeCase{"InsertMode", "\x1b[4h", "ab\n0123456789\nX\n\n"},
                    EdgeCase{"AlternateAndBack", "\x1b[?1049h\x1b[?1049l", "ab\n0123456789\nX\n\n"}),
    [](const auto& edge) { return edge.param.name; });

TEST(ScreenEdge, ABareLineFeedOnTheBottomRowEndsThePendingWrap) {
  TestScreen screen;
  screen.feed("\x1b[4;1H0123456789\nX");
  EXPECT_EQ(screen.lines(), "\n\n0123456789\n         X\n");
}

TEST(ScreenEdge, ResizingKeepsThePlaceOfAPendingWrap) {
  TestScreen wider;
  wider.feed("0123456789");
  wider.screen().resize({.rows = 4, .cols = 12});
  wider.feed("X");
  EXPECT_EQ(wider.line(0), "012345678X");
  TestScreen higher;
  higher.feed("0123456789");
  higher.screen().resize({.rows = 5, .cols = 10});
  higher.feed("X");
  EXPECT_EQ(higher.line(1), "X");
}

TEST(ScreenEdge, ReportsTheLastColumnBehindAWideCharacter) {
  TestScreen screen;
  screen.feed("01234567中");
  EXPECT_EQ(screen.at(), At(0, 9));
  screen.feed("\b");
  EXPECT_EQ(screen.at(), At(0, 8));
}

TEST(ScreenEdge, OverwritesTheLastColumnWithoutWrapping) {
  TestScreen screen;
  screen.feed("\x1b[?7l0123456789abc");
  EXPECT_EQ(screen.lines(), "012345678c\n\n\n\n");
}

TEST(ScreenEdge, ForgetsTheJoinWhenTheEndOfTheRowIsErasedOrRewritten) {
  TestScreen screen;
  screen.feed("0123456789abc\x1b[1;5H\x1b[K");
  EXPECT_FALSE(screen.screen().row(0).wrapped);
  TestScreen rewritten;
  rewritten.feed("0123456789abc\x1b[1;10HZ\r\n");
  EXPECT_FALSE(rewritten.screen().row(0).wrapped);
}

}  // namespace
}  // namespace terminal
