// What Display writes is fed to a second emulator, and what that shows is compared with the frame.

#include "terminal/display.h"

#include <gtest/gtest.h>

#include <random>

#include "base/utf8.h"
#include "emulator.h"
#include "terminal/glyph.h"

namespace terminal {
namespace {

using testing_terminal::Emulator;
using testing_terminal::kSeenByEmulator;

Capabilities full() {
  Capabilities caps;
  caps.colors = ColorDepth::truecolor;
  caps.background_erase = caps.styled_underline = caps.cursor_shape = caps.scrolls_region = true;
  return caps;
}

/// A cell reduced to what the emulator can tell: no difference between blanks, no attributes it does not know.
Cell comparable(Cell cell) {
  cell.style.attributes &= kSeenByEmulator;
  if (cell.width == 0) return Cell{{}, {}, 0};  // It keeps no style in a second half.
  if (cell.chars[0] == 0) cell.chars[0] = U' ';
  if (cell.blank() && (cell.style.attributes & (kReverse | kStrike | kUnderlineMask)) == 0) {
    cell.style = {{}, cell.style.background, 0};
  }
  return cell;
}

std::string describe(const Cell& cell) {
  std::string text = "'";
  append_cell_text(text, cell);
  const auto color = [](Color c) {
    if (c.is_default()) return std::string("default");
    if (c.is_indexed()) return std::to_string(c.index());
    return std::to_string(c.red()) + "," + std::to_string(c.green()) + "," + std::to_string(c.blue());
  };
  return text + "' width " + std::to_string(cell.width) + " " + color(cell.style.foreground) + " on " +
         color(cell.style.background) + " attributes " + std::to_string(cell.style.attributes);
}

::testing::AssertionResult shows(const Emulator& emulator, const Frame& frame, const Capabilities& caps) {
  std::vector<Cell> wanted;
  for (int row = 0; row < frame.size.rows; ++row) {
    shown_row(frame.rows[static_cast<std::size_t>(row)], frame.size.cols, caps, wanted);
    for (int col = 0; col < frame.size.cols; ++col) {
      const Cell expected = comparable(wanted[static_cast<std::size_t>(col)]);
      const Cell actual = comparable(emulator.cell(row, col));
      if (expected == actual) continue;
      return ::testing::AssertionFailure()
             << "row " << row << " col " << col << ": wanted " << describe(expected) << ", shown " << describe(actual);
    }
  }
  return ::testing::AssertionSuccess();
}

/// A display with the emulator it draws on.
struct Shown {
  explicit Shown(base::Size size, const Capabilities& caps = full()) : display(caps), emulator(size) {}

  std::string draw(const Frame& frame) {
    const std::string bytes = display.render(frame);
    emulator.write(bytes);
    return bytes;
  }
  ::testing::AssertionResult shows(const Frame& frame) const {
    return terminal::shows(emulator, frame, display.capabilities());
  }

  Display display;
  Emulator emulator;
};

Frame page_of_text(base::Size size, int first_line = 0) {
  Frame frame(size);
  for (int row = 0; row < size.rows; ++row) {
    frame.put_text(row, 0, "line " + std::to_string(first_line + row) + " of a log that scrolls by", {}, size.cols);
  }
  return frame;
}

TEST(Display, TheFirstFrameIsDrawnWholeOverWhateverWasThere) {
  Shown shown({5, 40});
  shown.emulator.write("\033[31;7mrubbish\r\nmore rubbish\033[4;30Hand more");
  Frame frame({5, 40});
  frame.put_text(1, 3, "hello 漢字", {Color::rgb(1, 2, 3), Color::indexed(200), kBold}, 30);
  frame.cursor = {2, 7, true, true, CursorShape::block};
  shown.draw(frame);
  EXPECT_TRUE(shown.shows(frame));
  EXPECT_EQ(shown.emulator.cursor().row, 2);
  EXPECT_EQ(shown.emulator.cursor().col, 7);
}

TEST(Display, AnEqualFrameCostsNothing) {
  Shown shown({24, 80});
  const Frame frame = page_of_text({24, 80});
  EXPECT_FALSE(shown.draw(frame).empty());
  EXPECT_EQ(shown.draw(frame), "");
}

TEST(Display, OneChangedCharacterCostsFewBytes) {
  Shown shown({50, 200});
  Frame frame = page_of_text({50, 200});
  frame.cursor = {20, 10, true, true, CursorShape::block};
  shown.draw(frame);
  frame.put_text(20, 10, "x", {}, 1);
  frame.cursor.col = 11;
  EXPECT_EQ(shown.draw(frame), "x");
  EXPECT_TRUE(shown.shows(frame));
  frame.put_text(30, 150, "y", {}, 1);
  EXPECT_LE(shown.draw(frame).size(), 18u);
  EXPECT_TRUE(shown.shows(frame));
}

TEST(Display, ANearbySecondChangeIsReachedByWritingWhatLiesBetween) {
  Shown shown({3, 40});
  Frame frame({3, 40});
  frame.put_text(0, 0, "abcdef", {}, 6);
  frame.cursor = {0, 0, true, true, CursorShape::block};
  shown.draw(frame);
  frame.put_text(0, 0, "Xbc", {}, 3);
  frame.put_text(0, 3, "Y", {}, 1);
  frame.cursor.col = 4;
  EXPECT_EQ(shown.draw(frame), "XbcY");
}

TEST(Display, AClearedRowIsErasedNotOverwritten) {
  Shown shown({24, 200});
  Frame frame = page_of_text({24, 200});
  shown.draw(frame);
  frame.fill(5, 0, 200, {});
  EXPECT_LE(shown.draw(frame).size(), 14u);
  EXPECT_TRUE(shown.shows(frame));
  frame.fill(6, 0, 200, {{}, Color::indexed(4), 0});
  EXPECT_LE(shown.draw(frame).size(), 24u);
  EXPECT_TRUE(shown.shows(frame));
}

TEST(Display, WithoutBackgroundErasePlainSpacesPaintTheBackground) {
  Capabilities caps = full();
  caps.background_erase = false;
  Shown shown({4, 60}, caps);
  Frame frame({4, 60});
  frame.fill(2, 0, 60, {{}, Color::indexed(4), 0});
  const std::string bytes = shown.draw(frame);
  EXPECT_NE(bytes.find(std::string(60, ' ')), std::string::npos);
  EXPECT_TRUE(shown.shows(frame));
}

TEST(Display, TheLastCornerDoesNotScrollTheScreen) {
  for (const bool delayed : {true, false}) {
    Capabilities caps = full();
    caps.delayed_wrap = delayed;
    Shown shown({4, 10}, caps);
    Frame frame({4, 10});
    for (int row = 0; row < 4; ++row) frame.put_text(row, 0, "0123456789", {}, 10);
    shown.draw(frame);
    EXPECT_TRUE(shown.shows(frame));
    frame.put_text(3, 8, "漢", {}, 2);
    shown.draw(frame);
    frame.put_text(3, 9, "│", {}, 1);
    shown.draw(frame);
    EXPECT_TRUE(shown.shows(frame));
    EXPECT_EQ(shown.emulator.scrolled(), 0);
  }
}

TEST(Display, ACornerThatCannotBeWrittenSafelyIsLeftAlone) {
  Capabilities caps = full();
  caps.delayed_wrap = caps.switches_wrap = false;
  Display display(caps);
  Frame frame({2, 4});
  frame.put_text(1, 0, "abcd", {}, 4);
  const std::string bytes = display.render(frame);
  EXPECT_NE(bytes.find("abc"), std::string::npos);
  EXPECT_EQ(bytes.find('d'), std::string::npos);
}

TEST(Display, WrappingIsOnAgainAfterEveryFrame) {
  Shown shown({4, 10});
  Frame frame({4, 10});
  frame.put_text(3, 0, "──────────", {}, 10);
  const std::string bytes = shown.draw(frame);
  const auto off = bytes.find("\033[?7l");
  ASSERT_NE(off, std::string::npos);
  EXPECT_NE(bytes.find("\033[?7h", off), std::string::npos);
  EXPECT_TRUE(shown.shows(frame));
}

TEST(Display, AResizeDrawsEverythingAgain) {
  Shown shown({10, 40});
  shown.draw(page_of_text({10, 40}));
  shown.emulator.resize({6, 60});
  const Frame frame = page_of_text({6, 60}, 3);
  shown.draw(frame);
  EXPECT_TRUE(shown.shows(frame));
}

TEST(Display, InvalidateDrawsEverythingAgain) {
  Shown shown({6, 40});
  const Frame frame = page_of_text({6, 40});
  shown.draw(frame);
  shown.emulator.write("\033[2J\033[44;1mforeign output\033[?25l\033[4 q");
  EXPECT_EQ(shown.display.render(frame), "") << "it was not told";
  shown.display.invalidate();
  shown.draw(frame);
  EXPECT_TRUE(shown.shows(frame));
  EXPECT_TRUE(shown.emulator.cursor().visible);
  EXPECT_EQ(shown.emulator.cursor().shape, CursorShape::block);
}

TEST(Display, CursorShapeAndVisibilityFollowTheFrame) {
  Shown shown({6, 40});
  Frame frame = page_of_text({6, 40});
  for (const auto shape : {CursorShape::bar, CursorShape::underline, CursorShape::block}) {
    for (const bool blink : {true, false}) {
      for (const bool visible : {true, false}) {
        frame.cursor = {3, 3, visible, blink, shape};
        shown.draw(frame);
        EXPECT_EQ(shown.emulator.cursor(), frame.cursor);
      }
    }
  }
}

TEST(Display, ACursorOutsideTheFrameIsBroughtIn) {
  Shown shown({6, 40});
  Frame frame({6, 40});
  frame.cursor = {100, -5, true, true, CursorShape::block};
  shown.draw(frame);
  EXPECT_EQ(shown.emulator.cursor().row, 5);
  EXPECT_EQ(shown.emulator.cursor().col, 0);
}

TEST(Display, LargeFramesAreBracketedAndSmallOnesAreNot) {
  Capabilities caps = full();
  caps.synchronized = true;
  Shown shown({24, 80}, caps);
  Frame frame = page_of_text({24, 80});
  const std::string whole = shown.draw(frame);
  EXPECT_TRUE(whole.starts_with("\033[?2026h"));
  EXPECT_TRUE(whole.ends_with("\033[?2026l"));
  frame.put_text(3, 3, "x", {}, 1);
  EXPECT_EQ(shown.draw(frame).find("2026"), std::string::npos);
}

TEST(Display, WithoutBracketsTheCursorIsHiddenWhileALargeFrameIsDrawn) {
  Shown shown({24, 80});
  const std::string whole = shown.draw(page_of_text({24, 80}));
  EXPECT_TRUE(whole.starts_with("\033[?25l"));
  EXPECT_TRUE(shown.emulator.cursor().visible);
}

TEST(Display, RowsThatMovedAreScrolledOnlyWhenAllowed) {
  for (const int by : {1, 3, -2}) {
    Frame before = page_of_text({24, 80}, 10);
    Frame after = page_of_text({24, 80}, 10 + by);
    for (Frame* frame : {&before, &after}) {
      for (int row = 16; row < 24; ++row) frame->put_text(row, 0, std::string(80, 'a' + row - 16), {}, 80);
    }
    after.put_text(20, 4, "spinner", {}, 10);
    Shown shown({24, 80});
    shown.emulator.write("\033[?1047h");
    shown.display.allow_scrolling(true);
    shown.draw(before);
    EXPECT_LE(shown.draw(after).size(), 220u) << by;
    EXPECT_TRUE(shown.shows(after)) << by;
    EXPECT_EQ(shown.emulator.scrolled(), 0);

    Shown still({24, 80});
    still.draw(before);
    const std::string bytes = still.draw(after);
    EXPECT_EQ(bytes.find_first_of("ST"), std::string::npos) << "no SU, no SD";
    EXPECT_TRUE(still.shows(after)) << by;
  }
}

TEST(Display, ADumbTerminalGetsNothing) {
  Capabilities caps;
  caps.can_draw = false;
  Display display(caps);
  EXPECT_EQ(display.render(page_of_text({5, 20})), "");
  Display other(full());
  EXPECT_EQ(other.render(Frame({0, 0})), "");
}

TEST(Display, DegradedColoursReachTheTerminal) {
  Frame frame({1, 10});
  frame.put_text(0, 0, "x", {Color::rgb(255, 0, 0), Color::indexed(12), kItalic}, 1);
  const auto bytes_at = [&frame](ColorDepth depth) {
    Capabilities caps = full();
    caps.colors = depth;
    caps.attributes = kBold;
    return Display(caps).render(frame);
  };
  EXPECT_NE(bytes_at(ColorDepth::truecolor).find("\033[38;2;255;0;0;104mx"), std::string::npos);
  EXPECT_NE(bytes_at(ColorDepth::palette256).find("\033[38;5;196;104mx"), std::string::npos);
  EXPECT_NE(bytes_at(ColorDepth::ansi16).find("\033[91;104mx"), std::string::npos);
  EXPECT_NE(bytes_at(ColorDepth::ansi8).find("\033[31;44mx"), std::string::npos);
  const std::string mono = bytes_at(ColorDepth::mono);
  EXPECT_NE(mono.find("Jx"), std::string::npos) << "no colour, no attribute it lacks";
}

TEST(Display, ASequenceNeverHasMoreParametersThanTheSmallestTerminalKeeps) {
  Capabilities caps = full();
  Display display(caps);
  Frame frame({1, 10});
  frame.put_text(0, 0, "x", {Color::rgb(1, 2, 3), Color::rgb(4, 5, 6), 0xFF | kUnderlineCurly}, 1);
  const std::string bytes = display.render(frame);
  int parameters = 0;
  for (const char byte : bytes) {
    parameters = byte == '\033' ? 1 : parameters + (byte == ';' || byte == ':' ? 1 : 0);
    EXPECT_LE(parameters, 16);
  }
}

TEST(Display, HostileCellsCannotBreakOut) {
  const std::vector<char32_t> hostile = {0x1B,    0x07,   0x0A,   0x0D,   0x08,   0x7F,   0x80,      0x9B,   0x9D,
                                         0x90,    0x202E, 0x2066, 0x200B, 0x200D, 0xFEFF, 0x2028,    0xD800, 0x110000,
                                         0xE0041, 0x301,  0xFE0F, 0x3164, 0xFFFE, 0x85,   0xFFFFFFFF};
  for (const char32_t code : hostile) {
    SCOPED_TRACE(static_cast<std::uint32_t>(code));
    Display display(full());
    Frame frame({2, 10});
    display.render(frame);
    frame.at(0, 3).chars = {code, U']', code, U'0', U';'};
    frame.at(0, 4).chars = {U'a', code, U'\x1b', U'[', U'漢'};
    frame.at(0, 5) = Cell{{code}, {}, 2};
    frame.at(0, 6) = Cell{{}, {}, 0};
    frame.cursor.visible = false;
    std::string bytes = display.render(frame);
    for (std::size_t at = bytes.find('\033'); at != std::string::npos; at = bytes.find('\033', at)) {
      ASSERT_EQ(bytes[at + 1], '[');  // Display's own sequences, all of them CSI.
      bytes.erase(at, bytes.find_first_of("HCJKXmhl", at) + 1 - at);
    }
    for (std::string_view rest = bytes; !rest.empty();) {
      const auto [shown, length] = base::decode_utf8(rest);
      EXPECT_TRUE(shown == 0xFFFD || shown == U'a' || shown == 0x301) << static_cast<std::uint32_t>(shown);
      rest.remove_prefix(length);
    }
  }
}

TEST(Display, BrokenRowsAreDrawnAsFarAsTheyMakeSense) {
  Shown shown({3, 6});
  Frame frame({3, 6});
  frame.rows[0].cells.resize(2);
  frame.rows[1].cells.resize(50, Cell{{U'x'}, {}, 1});
  frame.at(2, 0) = Cell{{}, {}, 0};
  frame.at(2, 2) = Cell{{U'漢'}, {}, 2};  // Without its second half.
  frame.at(2, 5) = Cell{{U'字'}, {}, 2};  // In the last column.
  shown.draw(frame);
  EXPECT_TRUE(shown.shows(frame));
  EXPECT_EQ(shown.emulator.scrolled(), 0);
  frame.rows.resize(1);
  shown.draw(frame);
  EXPECT_TRUE(shown.emulator.cell(2, 2).blank());
}

TEST(Display, WhatCannotBeConcealedIsNotShown) {
  Capabilities caps = full();
  caps.attributes = kBold;
  Display display(caps);
  Frame frame({1, 20});
  frame.put_text(0, 0, "secret", {{}, {}, kConceal}, 20);
  EXPECT_EQ(display.render(frame).find("secret"), std::string::npos);
}

TEST(Display, WithoutUtf8OnlyAsciiIsWritten) {
  Capabilities caps = full();
  caps.utf8 = false;
  Shown shown({2, 20}, caps);
  Frame frame({2, 20});
  frame.put_text(0, 0, "┌──┐│ 漢 é", {}, 20);
  for (const char byte : shown.draw(frame)) EXPECT_LT(static_cast<unsigned char>(byte), 0x80);
  std::string text;
  for (int col = 0; col < 12; ++col) append_cell_text(text, shown.emulator.cell(0, col));
  EXPECT_EQ(text, "+--+| ?  ?  ");
}

TEST(Display, AfterCharactersOfUnsureWidthTheCursorIsPlacedAbsolutely) {
  Shown shown({2, 20});
  Frame frame({2, 20});
  frame.put_text(0, 0, "a😀b", {}, 20);
  frame.put_text(1, 0, "──x", {}, 20);
  const std::string bytes = shown.draw(frame);
  EXPECT_NE(bytes.find("😀\033[1;4Hb"), std::string::npos);
  EXPECT_NE(bytes.find("──\033[2;3Hx"), std::string::npos);
  Capabilities cjk = full();
  cjk.ambiguous_wide = true;
  EXPECT_NE(Display(cjk).render(frame).find("─\033[2;2H─\033[2;3Hx"), std::string::npos);
}

TEST(Display, JoinersAndSelectorsThatChangeWidthsAreNotWritten) {
  Display display(full());
  Frame frame({1, 20});
  frame.put_text(0, 0, "❤\uFE0F👩\u200D💻", {}, 20);
  const std::string bytes = display.render(frame);
  EXPECT_EQ(bytes.find("\uFE0F"), std::string::npos);
  EXPECT_EQ(bytes.find("\u200D"), std::string::npos);
  EXPECT_NE(bytes.find("💻"), std::string::npos);
}

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

class RandomDisplay : public ::testing::TestWithParam<ColorDepth> {};

TEST_P(RandomDisplay, EverySequenceOfFramesIsShownExactly) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomFrames random(seed);
    Capabilities caps = full();
    caps.colors = GetParam();
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
                         ::testing::Values(ColorDepth::truecolor, ColorDepth::palette256, ColorDepth::ansi16,
                                           ColorDepth::ansi8, ColorDepth::mono));

}  // namespace
}  // namespace terminal
