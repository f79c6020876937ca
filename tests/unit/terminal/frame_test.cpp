#include "terminal/frame.h"

#include <gtest/gtest.h>

namespace terminal {
namespace {

std::string text_of(const Frame& frame, int row) {
  return row_text(frame.rows[static_cast<std::size_t>(row)]);
}

TEST(Frame, TextIsCutAtItsLimitAndAtTheEdge) {
  Frame frame({2, 8});
  EXPECT_EQ(frame.put_text(0, 1, "abcdef", {}, 3), 4);
  EXPECT_EQ(frame.put_text(1, 5, "abcdef", {}, 100), 8);
  EXPECT_EQ(text_of(frame, 0), " abc");
  EXPECT_EQ(text_of(frame, 1), "     abc");
}

TEST(Frame, AWideCharacterThatDoesNotFitIsLeftOut) {
  Frame frame({1, 5});
  EXPECT_EQ(frame.put_text(0, 0, "漢字漢", {}, 5), 4);
  EXPECT_EQ(text_of(frame, 0), "漢字");
  EXPECT_EQ(frame.at(0, 0).width, 2);
  EXPECT_EQ(frame.at(0, 1).width, 0);
  EXPECT_EQ(frame.at(0, 4).width, 1);
}

TEST(Frame, HalvesOfOverwrittenWideCharactersBecomeBlank) {
  Frame frame({1, 6});
  frame.put_text(0, 0, "漢字漢", {}, 6);
  frame.put_text(0, 1, "xy", {}, 2);
  EXPECT_EQ(text_of(frame, 0), " xy 漢");
  frame.fill(0, 5, 1, {});
  EXPECT_EQ(text_of(frame, 0), " xy");
  for (int col = 0; col < 6; ++col) EXPECT_EQ(frame.at(0, col).width, 1) << col;
}

TEST(Frame, AFillReleasesTheCharacterBeyondItsEnd) {
  Frame frame({1, 6});
  frame.put_text(0, 2, "漢字", {}, 4);
  const Style red{{}, Color::indexed(1), 0};
  frame.fill(0, 0, 3, red);
  EXPECT_EQ(text_of(frame, 0), "    字");
  EXPECT_EQ(frame.at(0, 2).style, red);
  EXPECT_EQ(frame.at(0, 3).width, 1);
}

TEST(Frame, MarksJoinTheirCharacterAndControlsVanish) {
  Frame frame({1, 8});
  EXPECT_EQ(frame.put_text(0, 0, "\u0301e\u0301\x1b[\x07m\u009b1", {}, 8), 4);
  EXPECT_EQ(text_of(frame, 0), "e\u0301[m1");
}

TEST(Frame, MoreMarksThanACellHoldsAreDropped) {
  Frame frame({1, 4});
  std::string text = "e";
  for (int i = 0; i < 50; ++i) text += "\u0301";
  EXPECT_EQ(frame.put_text(0, 0, text, {}, 4), 1);
  EXPECT_EQ(frame.at(0, 0).chars, (std::array<char32_t, 5>{U'e', 0x301, 0x301, 0x301, 0x301}));
}

TEST(Frame, PlacesOutsideAreIgnored) {
  Frame frame({2, 4});
  EXPECT_EQ(frame.put_text(-1, 0, "a", {}, 4), 0);
  EXPECT_EQ(frame.put_text(2, 0, "a", {}, 4), 0);
  EXPECT_EQ(frame.put_text(0, 9, "a", {}, 4), 9);
  EXPECT_EQ(frame.put_text(0, 0, "a", {}, -1), 0);
  frame.fill(5, 0, 4, {});
  frame.fill(0, -2, 100, {Color::indexed(1), {}, 0});
  frame.fill(0, 4, 2, {});
  EXPECT_EQ(frame.at(0, 3).style.foreground, Color::indexed(1));
  Frame none({-3, 0});
  EXPECT_TRUE(none.rows.empty());
}

}  // namespace
}  // namespace terminal
