#include "terminal/badge.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "terminal/frame.h"
#include "terminal/glyph.h"
#include "terminal/modes.h"
#include "terminal/sgr.h"
#include "terminal/tty_writer.h"

namespace terminal {
namespace {

constexpr int kNarrowest = 40;

}  // namespace

bool Badge::safe() const {
  const Modes& modes = screen_.modes();
  const Modes plain;
  return capabilities_.can_draw && screen_.between_sequences() && !screen_.wrap_pending() && !modes.alternate &&
         !modes.origin && !modes.insert && !modes.left_right_margins && !modes.synchronized && !modes.reverse_screen &&
         modes.autowrap && modes.hyperlink.empty() && modes.underline_color.empty() &&
         modes.charsets == plain.charsets && modes.shift == 0 && screen_.size().cols >= kNarrowest &&
         screen_.size().rows > 2 && screen_.cursor().row > 0;  // Not on the row that is being written.
}

std::string Badge::show(std::string_view text, const Style& style) {
  if (shown() || !safe()) return {};
  Frame frame({1, screen_.size().cols});
  const int wide = std::min(frame.put_text(0, 0, text, style, screen_.size().cols / 2), screen_.size().cols / 2);
  // One column stays free: writing into the last one leaves a terminal waiting to wrap.
  const int col = screen_.size().cols - wide - 1;
  std::vector<Cell> cells;
  shown_row(frame.rows[0], screen_.size().cols, capabilities_, cells);
  TtyWriter writer(capabilities_);
  writer.start(screen_.size());
  for (int i = 0; i < wide; ++i)
    if (cells[static_cast<std::size_t>(i)].width > 0) writer.put(0, col + i, cells[static_cast<std::size_t>(i)]);
  width_ = wide + 1;
  return "\x1b[?25l" + writer.take() + place();
}

std::string Badge::hide() {
  if (!shown()) return {};
  int col = std::max(screen_.size().cols - std::exchange(width_, 0), 0);
  std::vector<Cell> cells;
  shown_row(screen_.row(0), screen_.size().cols, capabilities_, cells);
  if (cells[static_cast<std::size_t>(col)].width == 0 && col > 0) --col;  // Half of a wide character went with it.
  TtyWriter writer(capabilities_);
  writer.start(screen_.size());
  for (int i = col; i < screen_.size().cols - 1; ++i) {
    Cell cell = cells[static_cast<std::size_t>(i)];
    if (cell.width == 0) continue;
    if (cell.chars[0] == 0) cell.chars[0] = U' ';
    writer.put(0, i, cell);
  }
  return "\x1b[?25l" + writer.take() + place();
}

/// Pen and cursor as the remote left them.
std::string Badge::place() const {
  const Modes& modes = screen_.modes();
  return "\x1b[" + sgr_parameters(modes.pen) + "m" + cursor_to(modes, screen_.cursor().row, screen_.cursor().col) +
         (modes.cursor_visible ? "\x1b[?25h" : "");
}

}  // namespace terminal
