// InputGuard: where the cursor goes. libvterm forgets the margins when it moves by rows and columns, so relative moves
// are computed here and sent as absolute ones.
#include <algorithm>

#include "terminal/input_guard.h"

namespace terminal {
namespace {

constexpr int kMaxColumns = 1000;
constexpr int kTabWidth = 8;

}  // namespace

InputGuard::Margins InputGuard::margins() const {
  const base::Size size = canvas_.size();
  const bool sides = modes_.left_right_margins;
  return {.top = modes_.margin_top,
          .bottom = modes_.margin_bottom < 0 ? size.rows : modes_.margin_bottom,
          .left = sides ? modes_.margin_left : 0,
          .right = sides && modes_.margin_right >= 0 ? modes_.margin_right : size.cols};
}

bool InputGuard::in_margins(Position at) const {
  const Margins limits = margins();
  return at.row >= limits.top && at.row < limits.bottom && at.col >= limits.left && at.col < limits.right;
}

/// One past the last column that a cursor at `at` can reach.
int InputGuard::right_edge(Position at) const {
  const int right = margins().right;
  return at.col < right ? right : canvas_.size().cols;
}

int InputGuard::left_edge(Position at) const {
  const int left = margins().left;
  return at.col >= left ? left : 0;
}

void InputGuard::move_to(Position to) {
  own_wrap_ = false;
  const base::Size size = canvas_.size();
  to.row = std::clamp(to.row, 0, size.rows - 1);
  to.col = std::clamp(to.col, 0, size.cols - 1);
  if (modes_.origin) {
    to.row = std::max(to.row - margins().top, 0);
    to.col = std::max(to.col - margins().left, 0);
  }
  forward(to.row + 1, ';');
  forward_tail(to.col + 1, 'H');
  out_moved_ = true;
}

/// CUP and HVP. Without origin mode there is nothing to look up, so nothing is flushed.
void InputGuard::place(const Csi& csi) {
  own_wrap_ = false;
  forward(std::min(csi.at_least_one(0), canvas_.size().rows), ';');
  forward_tail(std::min(csi.at_least_one(1), canvas_.size().cols), 'H');
  out_moved_ = true;
}

void InputGuard::place_column(int column) {
  if (modes_.origin) column += margins().left;
  const Position at = position();
  move_to({at.row, column - 1});
}

void InputGuard::place_row(int row) {
  if (modes_.origin) row += margins().top;
  const Position at = position();
  move_to({row - 1, at.col});
}

void InputGuard::move_vertically(int by, bool to_line_start) {
  const Position at = position();
  const Margins limits = margins();
  Position to = at;
  if (by < 0) {
    to.row = std::max(at.row + by, at.row >= limits.top ? limits.top : 0);
  } else {
    to.row = std::min(at.row + by, (at.row < limits.bottom ? limits.bottom : canvas_.size().rows) - 1);
  }
  if (to_line_start) to.col = left_edge(at);
  move_to(to);
}

void InputGuard::move_horizontally(int by) {
  const Position at = position();
  if (by < 0) {
    move_to({at.row, std::max(at.col + by, left_edge(at))});
  } else {
    move_to({at.row, std::min(at.col + by, right_edge(at) - 1)});
  }
}

bool InputGuard::move_csi(const Csi& csi) {
  const int count = csi.at_least_one(0);
  switch (csi.final_byte) {
    case 'A':
    case 'k':
      move_vertically(-count, false);
      return true;
    case 'B':
      move_vertically(count, false);
      return true;
    case 'e': {
      const Position at = position();
      move_to({at.row + count, at.col});
      return true;
    }
    case 'C':
      move_horizontally(count);
      return true;
    case 'a': {
      const Position at = position();
      move_to({at.row, at.col + count});
      return true;
    }
    case 'D':
    case 'j':
      move_horizontally(-count);
      return true;
    case 'E':
      move_vertically(count, true);
      return true;
    case 'F':
      move_vertically(-count, true);
      return true;
    case 'G':
    case '`':
      place_column(count);
      return true;
    case 'd':
      place_row(count);
      return true;
    case 'f':
      place(csi);
      return true;
    case 'I':
      tab(count);
      return true;
    case 'Z':
      tab(-count);
      return true;
    case 'u':
      restore_cursor();
      return true;
    default:
      return false;
  }
}

void InputGuard::carriage_return() {
  if (!modes_.left_right_margins) {
    own_wrap_ = false;
    forward("\r");
    out_moved_ = true;
    return;
  }
  const Position at = position();
  move_to({at.row, modes_.origin ? margins().left : left_edge(at)});
}

void InputGuard::line_feed() {
  // Else libvterm keeps the pending wrap on the bottom row and the next character makes one line too many.
  cancel_wrap();
  index_down();
  if (modes_.newline) carriage_return();
}

void InputGuard::index_down() {
  if (modes_.left_right_margins) {
    const Position at = position();
    const Margins limits = margins();
    const bool outside = at.col < limits.left || at.col >= limits.right;
    if (at.row == limits.bottom - 1 && outside) return;
  }
  forward("\n");
}

void InputGuard::reverse_index() {
  cancel_wrap();
  if (modes_.left_right_margins) {
    const Position at = position();
    const Margins limits = margins();
    const bool outside = at.col < limits.left || at.col >= limits.right;
    if (at.row == limits.top && outside) return;
  }
  forward("\x1bM");
}

void InputGuard::tab(int count) {
  const Position at = position();
  const int last = right_edge(at) - 1;
  const int first = modes_.origin ? left_edge(at) : 0;
  const int step = count > 0 ? 1 : -1;
  int col = at.col;
  for (int left = count * step; left > 0 && col + step >= first && col + step <= last;) {
    col += step;
    if (tabs_[static_cast<std::size_t>(col)]) --left;
  }
  // A tab that cannot move leaves a pending wrap pending.
  if (col != at.col) move_to({at.row, col});
}

void InputGuard::set_tab(bool on) {
  tabs_[static_cast<std::size_t>(position().col)] = on;
  tabs_changed();
}

void InputGuard::clear_tabs() {
  tabs_.assign(kMaxColumns, false);
  tabs_changed();
}

void InputGuard::reset_tabs() {
  tabs_.assign(kMaxColumns, false);
  for (std::size_t col = 0; col < tabs_.size(); col += kTabWidth) tabs_[col] = true;
  modes_.tab_stops_changed = false;
  modes_.tab_stops.clear();
  update_plain();
}

void InputGuard::tabs_changed() {
  modes_.tab_stops_changed = true;
  modes_.tab_stops.clear();
  for (int col = 0; col < canvas_.size().cols; ++col) {
    if (tabs_[static_cast<std::size_t>(col)]) modes_.tab_stops.push_back(col);
  }
  update_plain();
}

void InputGuard::save_cursor() {
  Saved& saved = saved_[canvas_.alternate() ? 1 : 0];
  saved.at = position();
  saved.wrap_pending = wrap_pending();
  saved.origin = modes_.origin;
  saved.protect = protect_;
  saved.pen = modes_.pen;
  saved.underline_color = modes_.underline_color;
  saved.charsets = modes_.charsets;
  saved.shift = modes_.shift;
}

void InputGuard::restore_cursor() {
  const Saved& saved = saved_[canvas_.alternate() ? 1 : 0];
  flush();
  modes_.pen = saved.pen;
  modes_.underline_color = saved.underline_color;
  modes_.charsets = saved.charsets;
  modes_.shift = saved.shift;
  protect_ = saved.protect;
  show_pen();
  update_plain();
  if (modes_.origin != saved.origin) set_dec_mode(6, saved.origin);
  move_to(saved.at);
  own_wrap_ = saved.wrap_pending && saved.at.col == canvas_.size().cols - 1;
}

}  // namespace terminal
