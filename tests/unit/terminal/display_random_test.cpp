// Random frames, one after the other: each must be shown exactly, at every depth of colour.
#include <algorithm>
#include <random>

#include "tests/support/named.h"
#include "tests/unit/terminal/display_helpers.h"

namespace terminal {
namespace {

/// Random frames from few ingredients, so that neighbours and successors are often alike.
class RandomFrames {
 public:
  explicit RandomFrames(unsigned seed) : random_(seed) {}

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  Style style() {
    if (below(3) == 0) return {};
    Style made{color(), color(), 0};
    if (below(2) == 0) made.attributes = static_cast<std::uint16_t>(below(1024));
    return made;
  }

  void disturb(Frame& frame) {
    for (int edits = below(12); edits >= 0; --edits) {
      const int row = below(frame.size.rows);
      const int col = below(frame.size.cols);
      switch (below(6)) {
        case 0:
          frame.fill(row, col, below(frame.size.cols), style());
          break;
        case 1:
          std::rotate(frame.rows.begin(), frame.rows.begin() + row, frame.rows.end());
          break;
        case 2:
          frame.rows[static_cast<std::size_t>(row)] = frame.rows[static_cast<std::size_t>(below(frame.size.rows))];
          break;
        default:
          frame.put_text(row, col, text(), style(), below(frame.size.cols));
      }
    }
    frame.cursor = {below(frame.size.rows), below(frame.size.cols), below(4) != 0, below(2) == 0,
                    static_cast<CursorShape>(below(3))};
  }

 private:
  Color color() {
    switch (below(3)) {
      case 0:
        return {};
      case 1:
        return Color::indexed(static_cast<std::uint8_t>(below(256)));
      default:
        return Color::rgb(static_cast<std::uint8_t>(below(256)), static_cast<std::uint8_t>(below(3)), 7);
    }
  }

  std::string text() {
    static const std::vector<std::string> kPieces = {
        "a", "b",  "   ", "                    ", "word", "漢", "字", "é", "e\u0301", "─", "│",
        "щ", "한", "😀",   "o\u0308\u0301",        "~"};
    std::string made;
    for (int pieces = below(20); pieces >= 0; --pieces) {
      made += kPieces[static_cast<std::size_t>(below(static_cast<int>(kPieces.size())))];
    }
    return made;
  }

  std::mt19937 random_;
};

class RandomDisplay : public ::testing::TestWithParam<support::Named<ColorDepth>> {};

TEST_P(RandomDisplay, EverySequenceOfFramesIsShownExactly) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomFrames random(seed);
    Capabilities caps = full();
    caps.colors = GetParam().value;
    caps.background_erase = true;  // As libvterm has it.
    caps.erases_characters = random.below(2) == 0;
    caps.delayed_wrap = random.below(4) != 0;
    caps.ambiguous_wide = random.below(4) == 0;
    caps.synchronized = random.below(2) == 0;
    caps.default_colors = random.below(2) == 0;
    Frame frame({2 + random.below(14), 2 + random.below(60)});
    Shown shown(frame.size, caps);
    shown.display.allow_scrolling(random.below(2) == 0);
    for (int step = 0; step < 30; ++step) {
      if (random.below(15) == 0) {
        frame = Frame({2 + random.below(14), 2 + random.below(60)});
        shown.emulator.resize(frame.size);
      }
      random.disturb(frame);
      shown.draw(frame);
      ASSERT_TRUE(shown.shows(frame)) << "step " << step;
      const Cursor cursor = shown.emulator.cursor();
      ASSERT_EQ(cursor.visible, frame.cursor.visible);
      ASSERT_TRUE(!cursor.visible || cursor == frame.cursor) << "step " << step;
      ASSERT_EQ(shown.draw(frame), "") << "step " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Depths, RandomDisplay,
                         ::testing::Values(support::Named{ColorDepth::truecolor, "TrueColour"},
                                           support::Named{ColorDepth::palette256, "Palette256"},
                                           support::Named{ColorDepth::ansi16, "Ansi16"},
                                           support::Named{ColorDepth::ansi8, "Ansi8"},
                                           support::Named{ColorDepth::mono, "Mono"}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace terminal
