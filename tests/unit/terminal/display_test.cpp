// What Display writes is fed to a second emulator, and what that shows is compared with the frame: what is drawn, when,
// and how few bytes it costs.
#include "tests/unit/terminal/display_helpers.h"

namespace terminal {
namespace {

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

}  // namespace
}  // namespace terminal
