#include "terminal/badge.h"

#include <gtest/gtest.h>

namespace terminal {
namespace {

/// The shadow, and the operator's terminal, which gets the same bytes and the badge.
struct Both {
  Screen shadow{{.size = {10, 60}}};
  Screen outer{{.size = {10, 60}}};
  Capabilities capabilities;
  Badge badge{shadow, capabilities};

  void remote(std::string_view bytes) {
    outer.write(badge.hide());
    shadow.write(bytes);
    outer.write(bytes);
  }
  void expect_same() const {
    for (int row = 0; row < 10; ++row) EXPECT_EQ(row_text(outer.row(row)), row_text(shadow.row(row)));
    EXPECT_EQ(outer.cursor(), shadow.cursor());
    EXPECT_EQ(outer.modes().pen, shadow.modes().pen);
  }
};

TEST(Badge, StandsInTheCornerAndLeavesNoTrace) {
  Both both;
  both.remote("first line that is rather long and reaches into the corner \r\n\x1b[1;32mgreen ");
  both.outer.write(both.badge.show(" running ", {}));
  ASSERT_TRUE(both.badge.shown());
  EXPECT_NE(row_text(both.outer.row(0)).find("running"), std::string::npos);
  EXPECT_EQ(both.outer.cursor(), both.shadow.cursor());
  EXPECT_EQ(both.outer.modes().pen, both.shadow.modes().pen);
  both.remote("text");
  both.expect_same();
  EXPECT_EQ(both.outer.row(1).cells, both.shadow.row(1).cells);
}

TEST(Badge, GivesWideCharactersBackWhole) {
  Both both;
  both.remote("漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字\r\n$ ");
  both.outer.write(both.badge.show(" done! ", {}));
  ASSERT_TRUE(both.badge.shown());
  both.remote("x");
  both.expect_same();
}

TEST(Badge, IsNotShownWhereItCouldDoHarm) {
  for (const std::string_view bytes :
       {"\x1b[?1049h\r\n", "\r\n\x1b[?6h", "\r\n\x1b[4h", "\r\n\x1b(0", "\r\n\x1b]0;half", "no second row yet"}) {
    Both both;
    both.remote(bytes);
    EXPECT_EQ(both.badge.show("x", {}), "") << bytes;
  }
}

}  // namespace
}  // namespace terminal
