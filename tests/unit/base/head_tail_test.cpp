#include "base/head_tail.h"

#include <gtest/gtest.h>

namespace base {
namespace {

TEST(HeadTail, KeepsAShortTextWhole) {
  HeadTail kept(10);
  kept.append("hello");
  kept.append("world");
  EXPECT_FALSE(kept.truncated());
  EXPECT_EQ(kept.text(), "helloworld");
}

TEST(HeadTail, SaysHowMuchOfALongTextIsMissingWhateverThePieces) {
  for (const std::size_t piece : {1u, 3u, 7u, 26u}) {
    SCOPED_TRACE(piece);
    HeadTail kept(8);
    const std::string text = "abcdefghijklmnopqrstuvwxyz";
    for (std::size_t at = 0; at < text.size(); at += piece) kept.append(std::string_view(text).substr(at, piece));
    EXPECT_EQ(kept.total_bytes(), 26u);
    EXPECT_EQ(kept.text(), "abcd\n[… 18 bytes left out …]\nwxyz");
  }
}

TEST(HeadTail, CutsBetweenCharacters) {
  HeadTail kept(8);
  kept.append("ab中中中中yz");
  EXPECT_EQ(kept.text(), "ab\n[… 12 bytes left out …]\nyz");
}

TEST(HeadTail, StaysBoundedHoweverMuchComes) {
  HeadTail kept(1000);
  const std::string piece(4096, 'x');
  for (int i = 0; i < 10'000; ++i) kept.append(piece);
  EXPECT_LT(kept.text().size(), 1100u);
  EXPECT_EQ(kept.total_bytes(), 40'960'000u);
}

}  // namespace
}  // namespace base
