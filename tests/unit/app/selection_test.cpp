#include "app/session/selection.h"

#include <gtest/gtest.h>

namespace app {
namespace {

using terminal::Key;
using terminal::KeyKind;
using terminal::MouseAction;

class SelectionTest : public testing::Test {
 protected:
  SelectionTest() { screen_.write("first line\r\nsecond line\r\nthird line\r\n$ "); }

  void mouse(MouseAction action, int row, int col) {
    Key key = Key::of(KeyKind::mouse);
    key.mouse = {.action = action, .button = 0, .row = row, .col = col};
    selection_.handle_key(key, screen_, {4, 20}, 0);
  }
  void shift(KeyKind kind) { selection_.handle_key(Key::of(kind, terminal::kShift), screen_, {4, 20}, 0); }
  std::string marked() {
    terminal::Frame frame({6, 20});
    selection_.mark(frame, screen_, {4, 20}, 0);
    std::string rows;
    for (int row = 0; row < 6; ++row) {
      int cells = 0;
      for (int col = 0; col < 20; ++col) cells += (frame.at(row, col).style.attributes & terminal::kReverse) != 0;
      rows += std::to_string(cells) + " ";
    }
    return rows;
  }

  terminal::Screen screen_{{.size = {6, 20}, .scrollback_lines = 100}};
  Selection selection_;
};

TEST_F(SelectionTest, GoesFromWhereTheButtonWentDownToWhereItCameUp) {
  mouse(MouseAction::press, 0, 6);
  mouse(MouseAction::release, 1, 5);
  EXPECT_EQ(selection_.text(), "line\nsecond");
  EXPECT_EQ(marked(), "14 6 0 0 0 0 ");
  mouse(MouseAction::press, 2, 0);
  mouse(MouseAction::release, 2, 0);
  EXPECT_TRUE(selection_.empty()) << "a click takes the mark away";
}

TEST_F(SelectionTest, GoesBackwardsToo) {
  mouse(MouseAction::press, 2, 4);
  mouse(MouseAction::release, 1, 7);
  EXPECT_EQ(selection_.text(), "line\nthird");
}

TEST_F(SelectionTest, GrowsByLinesFromTheOneAboveTheCursor) {
  shift(KeyKind::up);
  EXPECT_EQ(selection_.text(), "third line");
  shift(KeyKind::up);
  EXPECT_EQ(selection_.text(), "second line\nthird line");
  shift(KeyKind::down);
  EXPECT_EQ(selection_.text(), "third line");
  shift(KeyKind::down);
  EXPECT_TRUE(selection_.empty());
}

TEST_F(SelectionTest, StaysWithItsTextWhenTheScreenScrolls) {
  shift(KeyKind::up);
  EXPECT_EQ(marked(), "0 0 20 0 0 0 ");
  screen_.write("\r\nx\r\ny\r\nz\r\n$ ");
  EXPECT_EQ(selection_.text(), "third line");
  EXPECT_EQ(marked(), "20 0 0 0 0 0 ");
}

}  // namespace
}  // namespace app
