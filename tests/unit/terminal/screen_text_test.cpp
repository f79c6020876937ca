#include <gtest/gtest.h>

#include "screen_helpers.h"

namespace terminal {
namespace {

using At = std::pair<int, int>;

TEST(ScreenText, PrintsTextAndMovesTheCursor) {
  TestScreen screen;
  screen.feed("one\r\ntwo");
  EXPECT_EQ(screen.line(0), "one");
  EXPECT_EQ(screen.line(1), "two");
  EXPECT_EQ(screen.at(), At(1, 3));
}

TEST(ScreenText, WrapsALongLineAndJoinsItAgain) {
  TestScreen screen;
  screen.feed("0123456789abc\r\nnext");
  EXPECT_EQ(screen.line(0), "0123456789");
  EXPECT_EQ(screen.line(1), "abc");
  EXPECT_TRUE(screen.screen().row(0).wrapped);
  EXPECT_EQ(screen.screen().text(0, 3), "0123456789abc\nnext\n");
}

TEST(ScreenText, MovesLinesThatScrollOffIntoTheHistory) {
  TestScreen screen;
  screen.feed("1\r\n2\r\n3\r\n4\r\n5\r\n6");
  EXPECT_EQ(screen.lines(), "3\n4\n5\n6\n");
  EXPECT_EQ(screen.history(), "1\n2\n");
}

}  // namespace
}  // namespace terminal
