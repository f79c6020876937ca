// What Display makes of cells that the terminal cannot show or that must not reach it: colours, widths, hostile bytes.
#include "base/utf8.h"
#include "tests/unit/terminal/display_helpers.h"

namespace terminal {
namespace {

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

}  // namespace
}  // namespace terminal
