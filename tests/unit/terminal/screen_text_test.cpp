#include <gtest/gtest.h>

#include "tests/unit/terminal/screen_helpers.h"

namespace terminal {
namespace {

using At = std::pair<int, int>;

TEST(ScreenText, PrintsTextAndMovesTheCursor) {
  TestScreen screen;
  screen.feed("one\r\ntwo");
  EXPECT_EQ(screen.lines(), "one\ntwo\n\n\n");
  EXPECT_EQ(screen.at(), At(1, 3));
}

TEST(ScreenText, AControlRightAfterTheEscThatCutsAStringOffIsObeyed) {
  TestScreen screen;
  screen.feed("a\033]0;title\033\n[3Cb");
  EXPECT_EQ(screen.lines(), "a\n    b\n\n\n");
}

TEST(ScreenText, WrapsALongLineAndJoinsItAgain) {
  TestScreen screen;
  screen.feed("0123456789abc\r\nnext");
  EXPECT_EQ(screen.lines(), "0123456789\nabc\nnext\n\n");
  EXPECT_TRUE(screen.screen().row(0).wrapped);
  EXPECT_FALSE(screen.screen().row(1).wrapped);
  EXPECT_EQ(screen.screen().text(0, 3), "0123456789abc\nnext\n");
}

TEST(ScreenText, DoesNotJoinLinesThatMerelyFillTheirRow) {
  TestScreen screen;
  screen.feed("0123456789\r\nabc");
  EXPECT_EQ(screen.screen().text(0, 2), "0123456789\nabc\n");
}

TEST(ScreenText, KeepsBlanksInsideAJoinedLine) {
  TestScreen screen;
  screen.feed("01234567  ab");
  EXPECT_EQ(screen.screen().text(0, 2), "01234567  ab\n");
}

TEST(ScreenText, PutsAWideCharacterThatDoesNotFitOnTheNextRow) {
  TestScreen screen;
  screen.feed("012345678中x");
  EXPECT_EQ(screen.lines(), "012345678\n中x\n\n\n");
  EXPECT_TRUE(screen.screen().row(0).wrapped);
  EXPECT_EQ(screen.screen().text(0, 2), "012345678中x\n");
  EXPECT_EQ(screen.cell(1, 0).width, 2);
  EXPECT_EQ(screen.cell(1, 1).width, 0);
}

TEST(ScreenText, DoesNotDrawAWideCharacterAtTheEdgeWithoutWrapping) {
  TestScreen screen;
  screen.feed("\x1b[?7l012345678中");
  EXPECT_EQ(screen.line(0), "012345678");
  EXPECT_EQ(screen.at(), At(0, 9));
}

TEST(ScreenText, BlanksTheOtherHalfOfAWideCharacterOverwrittenFromEitherSide) {
  TestScreen left;
  left.feed("中中\rX");
  EXPECT_EQ(left.line(0), "X 中");
  TestScreen right;
  right.feed("中中\x1b[2GX");
  EXPECT_EQ(right.line(0), " X中");
  TestScreen wide;
  wide.feed("中中\x1b[2G文");
  EXPECT_EQ(wide.line(0), " 文");
}

TEST(ScreenText, EditsThroughWideCharactersLeaveNoHalves) {
  const std::pair<const char*, const char*> cases[] = {
      {"\x1b[2G\x1b[@", "   中"}, {"\x1b[2G\x1b[P", " 中"}, {"\x1b[2G\x1b[X", "  中"}, {"\x1b[2G\x1b[K", ""}};
  for (const auto& [edit, expected] : cases) {
    SCOPED_TRACE(edit + 1);
    TestScreen screen;
    screen.feed("中中").feed(edit);
    EXPECT_EQ(screen.line(0), expected);
  }
}

TEST(ScreenText, DeletingBeforeAWideCharacterAtTheEdgeMovesItWhole) {
  TestScreen screen;
  screen.feed("01234567中\r\x1b[P");
  EXPECT_EQ(screen.line(0), "1234567中");
  EXPECT_EQ(screen.cell(0, 7).width, 2);
  EXPECT_EQ(screen.cell(0, 8).width, 0);
  EXPECT_EQ(screen.cell(0, 9).width, 1);
}

TEST(ScreenText, InsertsTwoColumnsForAWideCharacterInInsertMode) {
  TestScreen screen;
  screen.feed("abcdef\r\x1b[4h中x");
  EXPECT_EQ(screen.line(0), "中xabcdef");
}

TEST(ScreenText, PushesTextOffTheEdgeInInsertMode) {
  TestScreen screen;
  screen.feed("0123456789\r\x1b[4hxy\x1b[4l");
  EXPECT_EQ(screen.lines(), "xy01234567\n\n\n\n");
}

TEST(ScreenText, AddsMarksToTheCharacterBefore) {
  TestScreen screen;
  screen.feed("e\u0301x").feed("\r\n0123456789\u0301").feed("\r\n中\u0301");
  EXPECT_EQ(screen.line(0), "e\u0301x");
  EXPECT_EQ(screen.line(1), "0123456789\u0301");
  EXPECT_EQ(screen.line(2), "中\u0301");
}

TEST(ScreenText, AddsAMarkThatComesInALaterPieceOrAfterAColour) {
  TestScreen screen;
  screen.feed("e").feed("\xCC").feed("\x81").feed("\x1b[31m\u0302");
  EXPECT_EQ(screen.line(0), "e\u0301\u0302");
}

TEST(ScreenText, DropsAMarkAfterTheCursorMoved) {
  TestScreen screen;
  screen.feed("ae\x1b[3;3H\u0301x\x1b[H\u0301").feed("\r\nb\n\u0301");
  EXPECT_EQ(screen.lines(), "ae\nb\n  x\n\n");
}

TEST(ScreenText, KeepsFourMarksOfAFlood) {
  TestScreen screen;
  std::string flood = "e";
  for (int i = 0; i < 20'000; ++i) flood += "\u0301";
  screen.feed(flood).feed("x");
  EXPECT_EQ(screen.line(0), "e\u0301\u0301\u0301\u0301x");
}

TEST(ScreenText, GivesEveryCharacterOfAnEmojiFamilyItsCells) {
  TestScreen screen({.rows = 2, .cols = 20});
  screen.feed("👨\u200D👩\u200D👧x");
  EXPECT_EQ(screen.at(), At(0, 7));
  screen.feed("\r\n🇩🇪❤\uFE0F👍🏽");
  EXPECT_EQ(screen.at(), At(1, 7));
}

TEST(ScreenText, TakesOneCellForBoxCharactersOfAmbiguousWidth) {
  TestScreen screen;
  screen.feed("─│┌█");
  EXPECT_EQ(screen.at(), At(0, 4));
}

TEST(ScreenText, DropsInvisibleCharactersThatMislead) {
  TestScreen screen;
  screen.feed("a\u200Bb\u202Ec\uFEFFd\U000E0041");
  EXPECT_EQ(screen.line(0), "abcd");
}

TEST(ScreenText, ShowsOneReplacementForEachBadUtf8Sequence) {
  const std::pair<std::string, std::string> cases[] = {
      {"a\xFF"
       "b",
       "a\uFFFDb"},
      {"a\xE2\x82"
       "b",
       "a\uFFFDb"},
      {"a\xC0\x80"
       "b",
       "a\uFFFDb"},
      {"a\xED\xA0\x80"
       "b",
       "a\uFFFDb"},
      {"a\xF4\x90\x80\x80"
       "b",
       "a\uFFFDb"},
      {"a\x80\x81"
       "b",
       "a\uFFFD\uFFFDb"},
      {"a\xE2\x82\x1b[CX", "a\uFFFD X"},
      {"a\xC2中", "a\uFFFD中"},
      {"a\xEF\xBF\xBF", "a\uFFFD"},
  };
  for (const auto& [bytes, expected] : cases) {
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
      SCOPED_TRACE(expected + " cut at " + std::to_string(cut));
      TestScreen screen;
      screen.feed(bytes.substr(0, cut)).feed(bytes.substr(cut));
      EXPECT_EQ(screen.line(0), expected);
    }
  }
}

TEST(ScreenText, SurvivesC1ControlsInUtf8) {
  TestScreen screen;
  screen.feed("\x1b[H\xC2\x85\x1b[Kab\xC2\x9B\x1b[X\tc");
  EXPECT_EQ(screen.line(0), "ab      c");
}

TEST(ScreenText, RepeatsTheCharacterJustPrinted) {
  TestScreen screen;
  screen.feed("ab\x1b[3b|\r\n中\x1b[2b");
  EXPECT_EQ(screen.line(0), "abbbb|");
  EXPECT_EQ(screen.line(1), "中中中");
}

TEST(ScreenText, RepeatsNothingWhenNothingWasPrinted) {
  TestScreen screen;
  screen.feed("\x1b[5b").feed("\u0301\x1b[5b").feed("ab\r\x1b[3b").feed("cd\x1b[m\x1b[3b");
  EXPECT_EQ(screen.lines(), "cd\n\n\n\n");
}

TEST(ScreenText, BoundsAHugeRepeat) {
  TestScreen screen;
  screen.feed("ab\x1b[99999999999999999999b");
  EXPECT_EQ(screen.lines(), "bbbbbbbbbb\nbbbbbbbbbb\nbbbbbbbbbb\nbbbbbbb\n");
}

TEST(ScreenText, TakesLineFeedModeAsCarriageReturnToo) {
  TestScreen screen;
  screen.feed("\x1b[20hab\ncd\x1b[20l\nef");
  EXPECT_EQ(screen.lines(), "ab\ncd\n  ef\n\n");
}

TEST(ScreenText, IgnoresDoubleWidthAndHeightWithoutHarm) {
  TestScreen screen;
  screen.feed("\x1b#6wide\r\n\x1b#3top\r\n\x1b#4bottom\x1b[70G\x1b[@\x1b[X\x1b#5");
  EXPECT_EQ(screen.lines(), "wide\ntop\nbottom\n\n");
}

}  // namespace
}  // namespace terminal
