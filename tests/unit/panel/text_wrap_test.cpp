#include "panel/text_wrap.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace panel {
namespace {

using Lines = std::vector<std::string>;

TEST(WrapText, BreaksAtSpacesAndLineBreaks) {
  EXPECT_EQ(wrap_text("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap_text("one two three", 8), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap_text("one\n\ntwo", 7), (Lines{"one", "", "two"}));
  EXPECT_EQ(wrap_text("", 7), (Lines{""}));
}

TEST(WrapText, CutsAWordOnlyWhenItIsLongerThanALine) {
  EXPECT_EQ(wrap_text("abcdefgh ij", 3), (Lines{"abc", "def", "gh", "ij"}));
}

TEST(WrapText, BreaksBetweenWideCharactersAndNeverInsideOne) {
  EXPECT_EQ(wrap_text("中文日本", 5), (Lines{"中文", "日本"}));
  EXPECT_EQ(wrap_text("ab中文", 5), (Lines{"ab中", "文"}));
  EXPECT_EQ(wrap_text("e\u0301e\u0301e\u0301", 2), (Lines{"e\u0301e\u0301", "e\u0301"}));
}

TEST(WrapText, FitsEveryLineAndLosesOnlySpaces) {
  const std::string text = "a 中文 of   longer-words 👍🏽 and wide 日本語 mixed  in";
  std::string wanted = text;
  std::erase(wanted, ' ');
  for (int width = 2; width < 40; ++width) {
    std::string joined;
    for (const auto& line : wrap_text(text, width)) {
      EXPECT_LE(base::text_width(line), std::max(width, 4)) << width << ": " << line;  // the emoji counts four
      joined += line;
    }
    std::erase(joined, ' ');
    EXPECT_EQ(joined, wanted) << width;
  }
  EXPECT_FALSE(wrap_text("中", 0).empty());
}

TEST(Shorten, PutsAnEllipsisWhereTextIsCut) {
  EXPECT_EQ(shorten("abcdef", 6, "…"), "abcdef");
  EXPECT_EQ(shorten("abcdef", 4, "…"), "abc…");
  EXPECT_EQ(shorten("中文日", 4, "…"), "中…");
  EXPECT_EQ(shorten("abc", 0, "…"), "");
}

}  // namespace
}  // namespace panel
