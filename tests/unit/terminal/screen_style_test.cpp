#include <gtest/gtest.h>

#include "tests/unit/terminal/screen_helpers.h"

namespace terminal {
namespace {

Style style_after(std::string_view bytes) {
  TestScreen screen;
  screen.feed(bytes).feed("x");
  return screen.cell(0, 0).style;
}

TEST(ScreenStyle, KnowsEveryAttribute) {
  const std::pair<const char*, int> cases[] = {{"1", kBold},
                                               {"2", kDim},
                                               {"1;2", kBold | kDim},
                                               {"3", kItalic},
                                               {"4", kUnderlineSingle},
                                               {"5", kBlink},
                                               {"6", kBlink},
                                               {"7", kReverse},
                                               {"8", kConceal},
                                               {"9", kStrike},
                                               {"21", kUnderlineDouble},
                                               {"53", kOverline},
                                               {"4:0", 0},
                                               {"4:1", kUnderlineSingle},
                                               {"4:2", kUnderlineDouble},
                                               {"4:3", kUnderlineCurly},
                                               {"4:4", kUnderlineSingle},
                                               {"4:5", kUnderlineSingle},
                                               {"1;2;22", 0},
                                               {"3;23", 0},
                                               {"4;24", 0},
                                               {"7;27", 0},
                                               {"8;28", 0},
                                               {"9;29", 0},
                                               {"53;55", 0},
                                               {"1;;3", kItalic},
                                               {"1;0", 0},
                                               {"1;", 0},
                                               {"1;99;3", kBold | kItalic},
                                               {"1:7;3", kBold | kItalic}};
  for (const auto& [parameters, expected] : cases) {
    SCOPED_TRACE(parameters);
    EXPECT_EQ(style_after("\x1b[" + std::string(parameters) + "m").attributes, expected);
  }
}

TEST(ScreenStyle, KnowsEveryWayToNameAColour) {
  const std::pair<const char*, Color> cases[] = {{"31", Color::indexed(1)},
                                                 {"97", Color::indexed(15)},
                                                 {"38;5;200", Color::indexed(200)},
                                                 {"38:5:200", Color::indexed(200)},
                                                 {"38;2;1;2;3", Color::rgb(1, 2, 3)},
                                                 {"38:2:1:2:3", Color::rgb(1, 2, 3)},
                                                 {"38:2::1:2:3", Color::rgb(1, 2, 3)},
                                                 {"38:2:5:1:2:3", Color::rgb(1, 2, 3)},
                                                 {"31;39", Color()},
                                                 {"31;38;5;999", Color::indexed(1)},
                                                 {"31;38;5", Color::indexed(1)}};
  for (const auto& [parameters, expected] : cases) {
    SCOPED_TRACE(parameters);
    const Style style = style_after("\x1b[" + std::string(parameters) + "m");
    EXPECT_EQ(style.foreground, expected);
    EXPECT_EQ(style.background, Color());
    EXPECT_EQ(style.attributes, 0);
  }
  EXPECT_EQ(style_after("\x1b[48:2::9:8:7m").background, Color::rgb(9, 8, 7));
  EXPECT_EQ(style_after("\x1b[104m").background, Color::indexed(12));
}

TEST(ScreenStyle, DoesNotReadTheUnderlineColourAsAttributes) {
  const Style style = style_after("\x1b[1;58;2;0;4;7;3m");
  EXPECT_EQ(style.attributes, kBold | kItalic);
  EXPECT_EQ(style_after("\x1b[58:5:7;31m").foreground, Color::indexed(1));
  TestScreen screen;
  screen.feed("\x1b[58;5;7m");
  EXPECT_EQ(screen.screen().modes().underline_color, "58:5:7");
  screen.feed("\x1b[59m");
  EXPECT_EQ(screen.screen().modes().underline_color, "");
}

TEST(ScreenStyle, SurvivesMoreParametersThanLibvtermHasRoomFor) {
  const Style style = style_after("\x1b[38:2:1:2:3:4:5;48:2:6:7:8:9:10;58:2:1:1:1:1;4:3m");
  EXPECT_EQ(style.foreground, Color::rgb(2, 3, 4));
  EXPECT_EQ(style.background, Color::rgb(7, 8, 9));
  EXPECT_EQ(style.attributes, kUnderlineCurly);
  std::string many = "\x1b[1";
  for (int i = 0; i < 10'000; ++i) many += ";7";
  EXPECT_EQ(style_after(many + "m").attributes, kBold | kReverse);
  EXPECT_EQ(style_after("\x1b[99999999999999999999;3m").attributes, kItalic);
}

TEST(ScreenStyle, ErasesWithTheBackgroundColourAndNothingElseOfThePen) {
  const char* erasers[] = {"\x1b[K",  "\x1b[2J",  "\x1b[10X", "\x1b[10@",
                           "\x1b[4L", "\x1b[10P", "\x1b[4S",  "\x1b[T\x1b[T\x1b[T\x1b[T",
                           "\x1bM",   "\x1b[?2K"};
  for (const char* eraser : erasers) {
    SCOPED_TRACE(eraser + 1);
    TestScreen screen;
    screen.feed("\x1b[31;44;1;4;7;9m").feed(eraser);
    const Style& style = screen.cell(0, 5).style;
    EXPECT_EQ(style.background, Color::indexed(4));
    EXPECT_EQ(style.foreground, Color());
    EXPECT_EQ(style.attributes, 0);
  }
}

TEST(ScreenStyle, ScrollsInTheBackgroundColour) {
  TestScreen screen;
  screen.feed("\x1b[4;1H\x1b[44m\n");
  EXPECT_EQ(screen.cell(3, 7).style.background, Color::indexed(4));
  screen.feed("\x1b[m\n");
  EXPECT_EQ(screen.cell(3, 7).style, Style{});
  EXPECT_EQ(screen.cell(2, 7).style.background, Color::indexed(4));
}

TEST(ScreenStyle, KeepsPaletteNumbersThroughAPaletteChange) {
  EXPECT_EQ(style_after("\x1b]4;1;rgb:00/ff/00\x07\x1b]10;#123456\x1b\\\x1b[31m").foreground, Color::indexed(1));
}

}  // namespace
}  // namespace terminal
