#include <gtest/gtest.h>

#include "tests/unit/terminal/screen_helpers.h"

namespace terminal {
namespace {

using At = std::pair<int, int>;

constexpr const char* kFilled = "11\r\n22\r\n33\r\n44\r\n55";

class ScreenMargins : public testing::Test {
 protected:
  void start(std::string_view bytes) { screen.feed(kFilled).feed(bytes); }

  TestScreen screen{{.rows = 5, .cols = 10}};
};

TEST_F(ScreenMargins, LineFeedScrollsInsideAndOnlyThere) {
  start("\x1b[2;4r\x1b[4;1H\nx");
  EXPECT_EQ(screen.lines(), "11\n33\n44\nx\n55\n");
  screen.feed("\x1b[5;1H\nY");
  EXPECT_EQ(screen.lines(), "11\n33\n44\nx\nY5\n");
  EXPECT_EQ(screen.history(), "");
}

TEST_F(ScreenMargins, ReverseIndexScrollsDownAtTheTop) {
  start("\x1b[2;4r\x1b[2;1H\x1bMx");
  EXPECT_EQ(screen.lines(), "11\nx\n22\n33\n55\n");
}

TEST_F(ScreenMargins, InsertAndDeleteLineWorkInsideAndGoToTheLeftEdge) {
  start("\x1b[2;4r\x1b[3;5H\x1b[L");
  EXPECT_EQ(screen.lines(), "11\n22\n\n33\n55\n");
  EXPECT_EQ(screen.at(), At(2, 0));
  screen.feed("\x1b[2;3H\x1b[M");
  EXPECT_EQ(screen.lines(), "11\n\n33\n\n55\n");
  screen.feed("\x1b[1;3H\x1b[L");
  EXPECT_EQ(screen.lines(), "11\n\n33\n\n55\n");
  EXPECT_EQ(screen.at(), At(0, 2));
}

TEST_F(ScreenMargins, ScrollUpAndDownMoveTheRegion) {
  start("\x1b[2;4r\x1b[S");
  EXPECT_EQ(screen.lines(), "11\n33\n44\n\n55\n");
  screen.feed("\x1b[2T");
  EXPECT_EQ(screen.lines(), "11\n\n\n33\n55\n");
}

TEST_F(ScreenMargins, LinesLeavingATopRegionAreHistoryButDeletedOnesAreNot) {
  start("\x1b[1;3r\x1b[3;1H\n");
  EXPECT_EQ(screen.history(), "11\n");
  screen.feed("\x1b[H\x1b[M");
  EXPECT_EQ(screen.history(), "11\n");
}

TEST_F(ScreenMargins, VerticalMovesStopAtTheMarginsTheyStartInside) {
  start("\x1b[2;4r\x1b[3;3H\x1b[9A");
  EXPECT_EQ(screen.at(), At(1, 2));
  screen.feed("\x1b[9B");
  EXPECT_EQ(screen.at(), At(3, 2));
  screen.feed("\x1b[5;3H\x1b[1A");
  EXPECT_EQ(screen.at(), At(3, 2));
  screen.feed("\x1b[1;3H\x1b[9A");
  EXPECT_EQ(screen.at(), At(0, 2));
}

TEST_F(ScreenMargins, ARegionOfOneRowOrUpsideDownIsIgnored) {
  start("\x1b[2;4r\x1b[3;3r\x1b[4;2r\x1b[9;9r");
  EXPECT_EQ(screen.screen().modes().margin_top, 1);
  EXPECT_EQ(screen.screen().modes().margin_bottom, 4);
  screen.feed("\x1b[0;99r");
  EXPECT_EQ(screen.screen().modes().margin_bottom, -1);
}

TEST_F(ScreenMargins, OriginModeCountsFromTheTopMargin) {
  start("\x1b[2;4r\x1b[?6hx\x1b[2;3Hy\x1b[9;1Hz");
  EXPECT_EQ(screen.lines(), "11\nx2\n33y\nz4\n55\n");
  screen.feed("\x1b[2;3H\x1b[6n");
  EXPECT_EQ(screen.take_replies(), "\x1b[2;3R");
  EXPECT_EQ(screen.at(), At(2, 2));
}

TEST_F(ScreenMargins, SaveAndRestoreBringOriginModeBack) {
  start(
      "\x1b[2;4r\x1b[?6h\x1b[2;2H\x1b"
      "7\x1b[?6l\x1b[H\x1b"
      "8");
  EXPECT_EQ(screen.at(), At(2, 1));
  EXPECT_TRUE(screen.screen().modes().origin);
}

TEST_F(ScreenMargins, SideMarginsWrapScrollAndReturnInside) {
  start("\x1b[?69h\x1b[3;6s\x1b[1;3Habcdef\rX");
  EXPECT_EQ(screen.lines(), "11abcd\n22Xf\n33\n44\n55\n");
  screen.feed("\x1b[5;3H\n");
  EXPECT_EQ(screen.lines(), "11Xf\n22\n33\n44\n55\n");
}

TEST_F(ScreenMargins, ALineFeedOutsideTheSideMarginsDoesNotScroll) {
  start("\x1b[?69h\x1b[3;6s\x1b[5;9H\n\x1b[1;9H\x1bM");
  EXPECT_EQ(screen.lines(), "11\n22\n33\n44\n55\n");
}

TEST_F(ScreenMargins, EditsStayBetweenSideMargins) {
  TestScreen side;
  side.feed("0123456789\x1b[?69h\x1b[3;6s\x1b[1;3H\x1b[@");
  EXPECT_EQ(side.line(0), "01 2346789");
  side.feed("\x1b[2P");
  EXPECT_EQ(side.line(0), "0134  6789");
  side.feed("\x1b[1;9H\x1b[@");
  EXPECT_EQ(side.line(0), "0134  6789");
}

TEST_F(ScreenMargins, LeavingSideMarginModeForgetsThem) {
  start("\x1b[?69h\x1b[3;6s\x1b[?69l\x1b[2;2H");
  EXPECT_EQ(screen.at(), At(1, 1));
  screen.feed("\x1b[s\x1b[H\x1b[u");
  EXPECT_EQ(screen.at(), At(1, 1));
  EXPECT_EQ(screen.screen().modes().margin_right, -1);
}

TEST_F(ScreenMargins, TheAlignmentPatternResetsAllMargins) {
  TestScreen side;
  side.feed("\x1b[?69h\x1b[3;6s\x1b[2;3r\x1b#8\x1b[1;3Habcdefg");
  EXPECT_EQ(side.line(0), "EEabcdefgE");
  EXPECT_EQ(side.screen().modes().margin_right, -1);
}

TEST_F(ScreenMargins, InsertModeShiftsNothingLeftOfTheSideMargins) {
  TestScreen side;
  side.feed("0123456789\x1b[?69h\x1b[3;6s\x1b[4h\x1b[1;1Hx");
  EXPECT_EQ(side.line(0), "x123456789");
}

TEST_F(ScreenMargins, ScrollsSideways) {
  start("\x1b[H\x1b[ @");
  EXPECT_EQ(screen.lines(), "1\n2\n3\n4\n5\n");
  screen.feed("\x1b[2 A");
  EXPECT_EQ(screen.lines(), "  1\n  2\n  3\n  4\n  5\n");
}

TEST_F(ScreenMargins, CharacterEditsWorkOutsideTheScrollingRows) {
  start("\x1b[2;4r\x1b[1;1H\x1b[P");
  EXPECT_EQ(screen.line(0), "1");
  screen.feed("\x1b[2@");
  EXPECT_EQ(screen.line(0), "  1");
}

TEST_F(ScreenMargins, SurvivesAShrinkBelowTheRegion) {
  start("\x1b[4;5r\x1b[5;1H");
  screen.screen().resize({.rows = 2, .cols = 10});
  screen.feed("\n\n\nx");
  EXPECT_EQ(screen.line(1), "x");
  EXPECT_EQ(screen.screen().modes().margin_bottom, -1);
}

TEST_F(ScreenMargins, FillsErasesAndCopiesRectangles) {
  start("\x1b[88;2;2;4;4$x");
  EXPECT_EQ(screen.lines(), "11\n2XXX\n3XXX\n4XXX\n55\n");
  screen.feed("\x1b[3;3;3;3$z\x1b[2;2;3;3;1;1;6;1$v");
  EXPECT_EQ(screen.lines(), "11   XX\n2XXX X\n3X X\n4XXX\n55\n");
}

}  // namespace
}  // namespace terminal
