#include "base/grapheme.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace base {
namespace {

const std::vector<std::string> kGraphemes = {"a",  "e\u0301", "中", "👨‍👩‍👧", "🇩🇪", "🇫🇷", "👍🏽",
                                             "\n", "x",       "한", "\u2764\uFE0F",       " "};

TEST(Grapheme, EndsAndBeginsWhereAReaderSaysInAnyOrder) {
  std::string text;
  for (int turn = 0; turn < 4; ++turn) {
    for (std::size_t i = 0; i < kGraphemes.size(); ++i) text += kGraphemes[(i * 5 + turn) % kGraphemes.size()];
  }
  std::vector<std::size_t> forward = {0};
  while (forward.back() < text.size()) forward.push_back(grapheme_end(text, forward.back()));
  EXPECT_EQ(forward.size(), kGraphemes.size() * 4 + 1);
  for (std::size_t i = forward.size() - 1; i > 0; --i) EXPECT_EQ(grapheme_begin(text, forward[i]), forward[i - 1]) << i;
}

TEST(Grapheme, StaysInsideTheTextAtItsEnds) {
  EXPECT_EQ(grapheme_begin("", 0), 0u);
  EXPECT_EQ(grapheme_end("", 0), 0u);
  EXPECT_EQ(grapheme_begin("ab", 0), 0u);
  EXPECT_EQ(grapheme_end("ab", 2), 2u);
  EXPECT_EQ(grapheme_end("ab", 9), 2u);
}

TEST(Grapheme, GoesOnePerByteThroughBrokenText) {
  const std::string text = "\xff\x80\x80\x80\x80\x80\x80";
  EXPECT_EQ(grapheme_end(text, 0), 1u);
  EXPECT_LT(grapheme_begin(text, text.size()), text.size());
}

}  // namespace
}  // namespace base
