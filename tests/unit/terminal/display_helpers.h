// A Display that draws on a second emulator, and the comparison of what that shows with the frame.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "terminal/display.h"
#include "terminal/glyph.h"
#include "tests/unit/terminal/emulator.h"

namespace terminal {

inline Capabilities full() {
  Capabilities caps;
  caps.colors = ColorDepth::truecolor;
  caps.background_erase = caps.styled_underline = caps.cursor_shape = caps.scrolls_region = true;
  return caps;
}

/// A cell reduced to what the emulator can tell: no difference between blanks, no attributes it does not know.
inline Cell comparable(Cell cell) {
  cell.style.attributes &= testing_terminal::kSeenByEmulator;
  if (cell.width == 0) return Cell{{}, {}, 0};  // It keeps no style in a second half.
  if (cell.chars[0] == 0) cell.chars[0] = U' ';
  if (cell.blank() && (cell.style.attributes & (kReverse | kStrike | kUnderlineMask)) == 0) {
    cell.style = {{}, cell.style.background, 0};
  }
  return cell;
}

inline std::string describe(const Cell& cell) {
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

inline ::testing::AssertionResult shows(const testing_terminal::Emulator& emulator, const Frame& frame,
                                        const Capabilities& caps) {
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
  testing_terminal::Emulator emulator;
};

inline Frame page_of_text(base::Size size, int first_line = 0) {
  Frame frame(size);
  for (int row = 0; row < size.rows; ++row) {
    frame.put_text(row, 0, "line " + std::to_string(first_line + row) + " of a log that scrolls by", {}, size.cols);
  }
  return frame;
}

}  // namespace terminal
