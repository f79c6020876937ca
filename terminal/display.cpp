// From one frame to the next in as few bytes as is reasonable.
//
// Most rows are equal and are passed over by comparing memory. A row that differs is brought, before and after, into
// the form it can be shown in (glyph.h), and those forms are compared: a hostile or unshowable cell never gets further
// than that. What follows is mosh's and tmux's craft: skip what is equal, erase rather than write blanks, keep the pen.

#include "terminal/display.h"

#include <algorithm>
#include <cstdlib>

#include "terminal/glyph.h"
#include "terminal/row_shift.h"

namespace terminal {
namespace {

/// Below this a terminal takes the whole of it in one gulp anyway, so brackets and a hidden cursor only cost.
constexpr std::size_t kAtOnce = 256;
/// Blanks from which an erase sequence is shorter than spaces.
constexpr int kErasePays = 4;
constexpr int kEraseInsidePays = 12;
/// Equal cells that are rewritten rather than jumped over.
constexpr int kJumpPays = 4;

constexpr std::size_t index_of(int position) {
  return static_cast<std::size_t>(position);
}

/// Whether the terminal may give this cell another width than we do.
bool may_spill(const Cell& cell, const Capabilities& capabilities) {
  const WidthTrust trust = width_trust(cell, capabilities);
  return trust == WidthTrust::doubtful || (trust == WidthTrust::ambiguous && capabilities.ambiguous_wide);
}

/// Whether `cell` can be written after `previous` for one byte.
bool cheap(const Cell& cell, const Cell& previous) {
  return cell.chars[0] < 0x7F && cell.chars[1] == 0 && cell.width == 1 && cell.style == previous.style;
}

int style_code(const Cursor& cursor) {
  // A blinking block is what everyone starts with; 0 gives back whatever the operator made the default instead.
  if (cursor.shape == CursorShape::block && cursor.blink) return 0;
  const int steady = cursor.blink ? 0 : 1;
  switch (cursor.shape) {
    case CursorShape::underline:
      return 3 + steady;
    case CursorShape::bar:
      return 5 + steady;
    case CursorShape::block:
      break;
  }
  return 2;
}

}  // namespace

Display::Display(const Capabilities& capabilities) : capabilities_(capabilities), writer_(capabilities_) {}

void Display::invalidate() {
  last_.reset();
  cursor_visible_.reset();
  cursor_style_.reset();
  writer_.forget();
}

std::string Display::render(const Frame& next) {
  if (!capabilities_.can_draw || next.size.rows <= 0 || next.size.cols <= 0) return {};
  writer_.start(next.size);
  if (!last_ || last_->size != next.size) {
    begin_with_blank(next.size);
  } else if (scrolling_ && capabilities_.scrolls_region) {
    scroll_what_moved(next);
  }
  static const Row kNoRow;
  for (int row = 0; row < next.size.rows; ++row) {
    const Row& wanted = index_of(row) < next.rows.size() ? next.rows[index_of(row)] : kNoRow;
    if (!same_cells(last_->rows[index_of(row)], wanted)) paint_row(row, wanted);
  }
  return finish(next.cursor);
}

void Display::begin_with_blank(base::Size size) {
  // A resize may have reflowed or cut what was there, so it starts from nothing too.
  writer_.forget();
  writer_.clear_screen();
  last_.emplace(size);
}

void Display::scroll_what_moved(const Frame& next) {
  const auto shift = find_row_shift(last_->rows, next.rows);
  if (!shift) return;
  writer_.scroll(shift->top, shift->bottom, shift->lines);
  const auto first = last_->rows.begin() + shift->top;
  const auto end = last_->rows.begin() + shift->bottom + 1;
  const int lines = std::abs(shift->lines);
  const Row blank{std::vector<Cell>(index_of(next.size.cols)), false};
  if (shift->lines > 0) {
    std::rotate(first, first + lines, end);
    std::fill(end - lines, end, blank);
  } else {
    std::rotate(first, end - lines, end);
    std::fill(first, first + lines, blank);
  }
}

void Display::mark_differences() {
  const std::size_t cols = after_.size();
  dirty_.assign(cols, 0);
  for (std::size_t col = 0; col < cols; ++col) {
    if (before_[col] == after_[col]) continue;
    dirty_[col] = 1;
    // Then the neighbour was or will be damaged.
    const bool doubtful = may_spill(before_[col], capabilities_) || may_spill(after_[col], capabilities_);
    const std::size_t neighbour = col + std::max<std::size_t>(after_[col].width, 1);
    if (doubtful && neighbour < cols) dirty_[neighbour] = 1;
  }
}

void Display::paint_row(int row, const Row& next) {
  const int cols = last_->size.cols;
  shown_row(last_->rows[index_of(row)], cols, capabilities_, before_);
  shown_row(next, cols, capabilities_, after_);
  last_->rows[index_of(row)] = next;
  mark_differences();
  const int end = tail_to_erase();
  for (int col = 0; col < end;) {
    if (dirty_[index_of(col)] == 0) {
      ++col;
      continue;
    }
    col = paint_from(row, col, end);
  }
  if (end < cols) writer_.erase_to_end(row, end, after_[index_of(end)].style);
}

int Display::tail_to_erase() const {
  const int cols = static_cast<int>(after_.size());
  int first_dirty = cols;
  int dirty = 0;
  for (int col = cols - 1; col >= 0; --col) {
    const Cell& cell = after_[index_of(col)];
    if (!erasable(cell, capabilities_) || cell.style != after_.back().style) break;
    if (dirty_[index_of(col)] == 0) continue;
    first_dirty = col;
    ++dirty;
  }
  return dirty >= kErasePays ? first_dirty : cols;
}

int Display::blanks_from(int col, int end) const {
  const Cell& first = after_[index_of(col)];
  if (!capabilities_.erases_characters || !erasable(first, capabilities_)) return 0;
  int blanks = 0;
  for (int at = col; at < end && after_[index_of(at)] == first; ++at) {
    if (dirty_[index_of(at)] != 0) blanks = at - col + 1;
  }
  return blanks;
}

int Display::paint_from(int row, int col, int end) {
  const Cell& cell = after_[index_of(col)];
  const int blanks = blanks_from(col, end);
  if (blanks >= kEraseInsidePays) {
    writer_.erase_cells(row, col, blanks, cell.style);
    return col + blanks;
  }
  writer_.put(row, col, cell);
  const int next = col + std::max<int>(cell.width, 1);
  // A few equal characters in the same pen are shorter than a jump over them.
  int gap = next;
  while (gap < end && gap - next < kJumpPays && dirty_[index_of(gap)] == 0 && cheap(after_[index_of(gap)], cell)) ++gap;
  const bool bridges = gap > next && gap < end && dirty_[index_of(gap)] != 0;
  if (bridges) std::fill(dirty_.begin() + next, dirty_.begin() + gap, 1);
  return next;
}

void Display::append_cursor_state(std::string& out, const Cursor& cursor) {
  if (capabilities_.cursor_shape && cursor_style_ != style_code(cursor)) {
    cursor_style_ = style_code(cursor);
    out += "\033[" + std::to_string(*cursor_style_) + " q";
  }
  if (capabilities_.hides_cursor && cursor_visible_ != cursor.visible) {
    cursor_visible_ = cursor.visible;
    out += cursor.visible ? "\033[?25h" : "\033[?25l";
  }
}

std::string Display::finish(const Cursor& cursor) {
  if (cursor.visible || !capabilities_.hides_cursor) {
    const base::Size size = last_->size;
    writer_.move_to(std::clamp(cursor.row, 0, size.rows - 1), std::clamp(cursor.col, 0, size.cols - 1));
  }
  std::string body = writer_.take();
  const bool large = body.size() > kAtOnce;
  std::string out;
  if (large && capabilities_.synchronized) out += "\033[?2026h";
  if (large && !capabilities_.synchronized && capabilities_.hides_cursor && cursor_visible_ != false) {
    out += "\033[?25l";
    cursor_visible_ = false;
  }
  if (out.empty()) {
    out = std::move(body);
  } else {
    out += body;
  }
  append_cursor_state(out, cursor);
  if (large && capabilities_.synchronized) out += "\033[?2026l";
  return out;
}

}  // namespace terminal
