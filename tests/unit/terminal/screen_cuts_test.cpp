// The same bytes give the same screen however they are cut: each case once differed.

#include <gtest/gtest.h>

#include "terminal/screen.h"

namespace terminal {
namespace {

struct Case {
  base::Size size;
  std::string bytes;
};

TEST(ScreenCuts, ByteByByteGivesTheSameScreenAsInOnePiece) {
  const std::vector<Case> cases = {{{2, 4}, "0123456789\033[3J"},        {{3, 7}, "\n0123456789\r\n\033[3J"},
                                   {{2, 5}, "word \033[2J漢字"},         {{2, 5}, "word \033[2K😀"},
                                   {{6, 9}, "\tunfinished\033[?1049h😀"}, {{3, 2}, "漢字\r\n"}};
  for (const Case& one : cases) {
    SCOPED_TRACE(testing::PrintToString(one.bytes));
    Screen::Options options;
    options.size = one.size;
    Screen whole(options);
    Screen cut(options);
    whole.write(one.bytes);
    for (const char& byte : one.bytes) cut.write({&byte, 1});
    for (int row = 0; row < one.size.rows; ++row) EXPECT_EQ(whole.row(row), cut.row(row)) << row;
    EXPECT_EQ(whole.first_line(), cut.first_line());
    EXPECT_EQ(whole.end_line(), cut.end_line());
    EXPECT_EQ(whole.cursor(), cut.cursor());
    EXPECT_EQ(whole.text(0, whole.end_line()), cut.text(0, cut.end_line()));
  }
}

}  // namespace
}  // namespace terminal
