// InputGuard: what the screen consists of: alternate screen, margins, size, resets.
#include <algorithm>
#include <utility>

#include "terminal/input_guard.h"

namespace terminal {

/// 47 switches, 1047 clears the alternate screen on leaving, 1049 saves the cursor and clears on entering.
void InputGuard::set_alternate(int mode, bool on) {
  flush();
  if (mode == 1049 && on) save_cursor();
  const bool switches = canvas_.alternate() != on;
  if (switches) {
    if (mode == 1047 && !on) canvas_.grid().erase({0, canvas_.size().rows, 0, canvas_.size().cols}, canvas_.blank());
    const Position at = position();
    const bool pending = wrap_pending();
    if (on) main_cursor_ = at;
    canvas_.show_alternate(on);
    std::swap(modes_.kitty_keyboard, other_kitty_);
    move_to(at);
    own_wrap_ = pending;
    modes_.alternate = on;
    modes_.alternate_mode = on ? mode : Modes{}.alternate_mode;
    canvas_.changed();
  }
  if (mode == 1049 && on) {
    cancel_wrap();
    canvas_.grid().erase({0, canvas_.size().rows, 0, canvas_.size().cols}, canvas_.blank());
  }
  if (mode == 1049 && !on) restore_cursor();
}

void InputGuard::set_left_right(bool on) {
  if (modes_.left_right_margins == on) return;
  const Position at = position();
  const bool pending = wrap_pending();
  modes_.left_right_margins = on;
  modes_.margin_left = 0;
  modes_.margin_right = -1;
  // Setting the margins homes the cursor, switching the mode does not.
  forward(on ? "\x1b[?69h\x1b[s" : "\x1b[s\x1b[?69l");
  move_to(at);
  own_wrap_ = pending;
  update_plain();
}

void InputGuard::set_rows_margin(const Csi& csi) {
  const int rows = canvas_.size().rows;
  const int top = csi.at_least_one(0);
  const int asked = csi.get(1, 0);
  const int bottom = asked == 0 || asked > rows ? rows : asked;
  if (top >= bottom) return;
  const bool whole = top == 1 && bottom == rows;
  modes_.margin_top = top - 1;
  modes_.margin_bottom = whole ? -1 : bottom;
  own_wrap_ = false;
  forward("\x1b[" + std::to_string(top) + ';' + std::to_string(bottom) + 'r');
  move_to({modes_.origin ? margins().top : 0, modes_.origin ? margins().left : 0});
}

void InputGuard::set_cols_margin(const Csi& csi) {
  const int cols = canvas_.size().cols;
  const int left = csi.at_least_one(0);
  const int asked = csi.get(1, 0);
  const int right = asked == 0 || asked > cols ? cols : asked;
  if (left >= right) return;
  const bool whole = left == 1 && right == cols;
  modes_.margin_left = left - 1;
  modes_.margin_right = whole ? -1 : right;
  forward("\x1b[" + std::to_string(left) + ';' + std::to_string(right) + 's');
  move_to({modes_.origin ? margins().top : 0, modes_.origin ? margins().left : 0});
}

/// DECSTR: the cursor stays where it is, the screen as it is.
void InputGuard::soft_reset() {
  const Position at = position();
  const bool pending = wrap_pending();
  saved_[canvas_.alternate() ? 1 : 0] = Saved{};
  modes_.cursor_visible = true;
  modes_.application_cursor = false;
  modes_.application_keypad = false;
  modes_.autowrap = true;
  modes_.origin = false;
  modes_.insert = false;
  modes_.margin_top = 0;
  modes_.margin_bottom = -1;
  modes_.left_right_margins = false;
  modes_.margin_left = 0;
  modes_.margin_right = -1;
  modes_.charsets = Modes{}.charsets;
  modes_.shift = 0;
  modes_.pen = Style{};
  modes_.underline_color.clear();
  protect_ = false;
  single_shift_ = 0;
  show_pen();
  update_plain();
  forward("\x1b[?6l\x1b[s\x1b[?69l\x1b[r\x1b[?7h");
  move_to(at);
  own_wrap_ = pending;
  flush();
  canvas_.set_wraps(true);
  canvas_.changed();
}

/// RIS: as after start, with the history gone as in xterm. The title stays.
void InputGuard::hard_reset() {
  flush();
  modes_ = Modes{};
  saved_ = {};
  other_kitty_.clear();
  saved_modes_.clear();
  protect_ = false;
  blink_ = true;
  own_wrap_ = false;
  single_shift_ = 0;
  last_ = 0;
  show_pen();
  reset_tabs();
  canvas_.show_alternate(true);
  canvas_.grid().clear();
  canvas_.show_alternate(false);
  canvas_.set_wraps(true);
  forward(
      "\x1b"
      "c");
  out_moved_ = true;
  flush();
  canvas_.scrollback().clear();
  canvas_.changed();
}

void InputGuard::resize(base::Size size) {
  Position at = position();
  const bool pending = wrap_pending();
  Position main_cursor = canvas_.alternate() ? main_cursor_ : at;
  const int main_row = main_cursor.row;
  canvas_.resize(size, at, main_cursor);
  saved_[0].at.row += main_cursor.row - main_row;
  main_cursor_ = main_cursor;
  modes_.margin_top = 0;
  modes_.margin_bottom = -1;
  modes_.margin_left = 0;
  modes_.margin_right = -1;
  if (modes_.left_right_margins) forward("\x1b[?69h\x1b[s");
  if (modes_.origin) forward("\x1b[?6h");
  move_to(at);
  own_wrap_ = pending && at.col == size.cols - 1;
  for (Saved& saved : saved_) {
    saved.at.row = std::clamp(saved.at.row, 0, size.rows - 1);
    saved.at.col = std::clamp(saved.at.col, 0, size.cols - 1);
  }
  if (modes_.tab_stops_changed) tabs_changed();
  flush();
}

}  // namespace terminal
