#include "base/utf8.h"

#include <gtest/gtest.h>

namespace base {
namespace {

TEST(Utf8, DecodesEveryLength) {
  EXPECT_EQ(decode_utf8("a").code, U'a');
  EXPECT_EQ(decode_utf8("é").code, U'é');
  EXPECT_EQ(decode_utf8("中").code, U'中');
  EXPECT_EQ(decode_utf8("😀").code, U'😀');
  EXPECT_EQ(decode_utf8("😀").bytes, 4u);
}

TEST(Utf8, ReplacesOverlongSurrogateAndTooLargeFormsOneByteAtATime) {
  for (const char* bad : {"\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "\x80", "\xE4\xB8"}) {
    SCOPED_TRACE(bad);
    EXPECT_EQ(decode_utf8(bad).code, U'\uFFFD');
    EXPECT_EQ(decode_utf8(bad).bytes, 1u);
  }
}

TEST(Utf8, FindsACharacterThatIsCutAtTheEnd) {
  EXPECT_EQ(incomplete_utf8_tail("abc"), 0u);
  EXPECT_EQ(incomplete_utf8_tail("a\xE4"), 1u);
  EXPECT_EQ(incomplete_utf8_tail("a\xE4\xB8"), 2u);
  EXPECT_EQ(incomplete_utf8_tail("a\xE4\xB8\xAD"), 0u);
  EXPECT_EQ(incomplete_utf8_tail("\xF0\x9F\x98"), 3u);
  EXPECT_EQ(incomplete_utf8_tail("\xED\xA0"), 0u) << "a surrogate can never be completed";
}

TEST(Utf8, MeasuresCellsOfWideAndCombiningCharacters) {
  EXPECT_EQ(text_width("abc"), 3);
  EXPECT_EQ(text_width("中文"), 4);
  EXPECT_EQ(text_width("e\u0301"), 1);
}

TEST(Utf8, MeasuresAsTerminalsDoWhereTheTableDiffers) {
  EXPECT_EQ(char_width(U'\u093F'), 1) << "a spacing mark takes a cell";
  EXPECT_EQ(char_width(U'\u0600'), 1) << "so does a number sign";
  EXPECT_EQ(char_width(U'\u2028'), 1);
  EXPECT_EQ(char_width(U'\u1161'), 0) << "a vowel joins the syllable before";
  EXPECT_EQ(char_width(U'\u200D'), 0);
}

TEST(Utf8, CutsBetweenCharactersOnly) {
  EXPECT_EQ(cut_utf8("中文", 5), "中");
  EXPECT_EQ(cut_utf8("中文", 6), "中文");
  EXPECT_EQ(cut_utf8("中文", 2), "");
}

}  // namespace
}  // namespace base
