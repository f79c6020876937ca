#include "terminal/viewport.h"

#include <gtest/gtest.h>

namespace terminal {
namespace {

TEST(Viewport, ShowsTheTopWhileTheCursorIsThere) {
  Viewport view;
  EXPECT_EQ(view.follow(24, 14, 0), 0);
  EXPECT_EQ(view.follow(24, 14, 13), 0);
}

TEST(Viewport, ScrollsJustFarEnoughToShowTheCursorsRow) {
  Viewport view;
  EXPECT_EQ(view.follow(24, 14, 23), 10);
  EXPECT_EQ(view.follow(24, 14, 22), 10) << "still visible: nothing moves";
  EXPECT_EQ(view.follow(24, 14, 10), 10);
  EXPECT_EQ(view.follow(24, 14, 9), 9);
  EXPECT_EQ(view.follow(24, 14, 23), 10);
}

TEST(Viewport, StaysInsideTheScreenWhateverTheSizes) {
  for (int rows = 0; rows < 8; ++rows) {
    for (int visible = -1; visible < 10; ++visible) {
      Viewport view;
      for (int cursor : {7, 0, 3, 100, -1}) {
        const int first = view.follow(rows, visible, cursor);
        EXPECT_GE(first, 0);
        EXPECT_LE(first, std::max(rows - std::max(visible, 1), 0));
        const bool real = cursor >= 0 && cursor < rows;
        EXPECT_TRUE(!real || (cursor >= first && cursor < first + std::max(visible, 1)));
      }
    }
  }
}

TEST(Viewport, ShowsTheWholeScreenAgainWhenItFits) {
  Viewport view;
  EXPECT_EQ(view.follow(24, 14, 23), 10);
  EXPECT_EQ(view.follow(24, 24, 23), 0);
}

}  // namespace
}  // namespace terminal
