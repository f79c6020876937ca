// InputGuard: modes, margins, pen and resets. Only what moves characters is told to libvterm; the rest lives in Modes.
#include <algorithm>

#include "terminal/input_guard.h"
#include "terminal/sgr.h"

namespace terminal {
namespace {

constexpr std::size_t kMaxStack = 16;
constexpr std::size_t kMaxSavedModes = 64;

constexpr int key(char leader, char intermediate, char final_byte) {
  return (static_cast<unsigned char>(leader) << 16) | (static_cast<unsigned char>(intermediate) << 8) |
         static_cast<unsigned char>(final_byte);
}

template <typename T>
void push_bounded(std::vector<T>& stack, T value) {
  if (stack.size() == kMaxStack) stack.erase(stack.begin());
  stack.push_back(std::move(value));
}

}  // namespace

bool InputGuard::mode_csi(const Csi& csi) {
  switch (key(csi.leader, csi.intermediate, csi.final_byte)) {
    case key(0, 0, 'h'):
    case key('?', 0, 'h'):
      set_modes(csi, true);
      return true;
    case key(0, 0, 'l'):
    case key('?', 0, 'l'):
      set_modes(csi, false);
      return true;
    case key('?', 0, 's'):
      for (int i = 0; i < csi.count && saved_modes_.size() < kMaxSavedModes; ++i) {
        saved_modes_[csi.get(i, 0)] = dec_mode(csi.get(i, 0)) == 1;
      }
      return true;
    case key('?', 0, 'r'):
      for (int i = 0; i < csi.count; ++i) {
        const auto saved = saved_modes_.find(csi.get(i, 0));
        if (saved != saved_modes_.end()) set_dec_mode(saved->first, saved->second);
      }
      return true;
    case key(0, 0, 'r'):
      set_rows_margin(csi);
      return true;
    case key(0, 0, 's'):
      if (modes_.left_right_margins) {
        set_cols_margin(csi);
      } else {
        save_cursor();
      }
      return true;
    case key(0, '!', 'p'):
      soft_reset();
      return true;
    case key(0, ' ', 'q'):
      set_cursor_style(csi.get(0, 0));
      return true;
    case key(0, '"', 'q'):
      protect_ = csi.get(0, 0) == 1;
      flush();
      show_pen();
      return true;
    case key('?', 0, 'J'):
      if (csi.get(0, 0) <= 2) {
        flush();
        forward("\x1b[?" + std::to_string(csi.get(0, 0)) + 'J');
        cancel_wrap();
      }
      return true;
    case key('?', 0, 'K'):
      if (csi.get(0, 0) <= 2) {
        flush();
        forward("\x1b[?" + std::to_string(csi.get(0, 0)) + 'K');
        cancel_wrap();
      }
      return true;
    case key('?', 0, 'W'):
      if (csi.get(0, 0) == 5) reset_tabs();
      return true;
    case key(0, ' ', '@'):
      scroll_sideways(csi.at_least_one(0));
      return true;
    case key(0, ' ', 'A'):
      scroll_sideways(-csi.at_least_one(0));
      return true;
    case key(0, '\'', '}'):
    case key(0, '\'', '~'):
      forward("\x1b[" + std::to_string(std::min(csi.at_least_one(0), 1000)) + '\'' + csi.final_byte);
      flush();
      return true;
    case key('>', 0, 'u'):
    case key('<', 0, 'u'):
    case key('=', 0, 'u'):
      kitty_csi(csi);
      return true;
    case key('>', 0, 'm'):
    case key('>', 0, 'n'):
      modify_keys(csi);
      return true;
    case key(0, 0, 't'):
      if (csi.get(0, 0) == 22 || csi.get(0, 0) == 23) {
        title_stack(csi);
        return true;
      }
      return false;
    default:
      return false;
  }
}

void InputGuard::set_modes(const Csi& csi, bool on) {
  for (int i = 0; i < csi.count; ++i) {
    if (csi.leader == '?') {
      set_dec_mode(csi.get(i, 0), on);
    } else {
      set_ansi_mode(csi.get(i, 0), on);
    }
  }
}

void InputGuard::set_ansi_mode(int mode, bool on) {
  if (mode == 4) modes_.insert = on;
  if (mode == 20) modes_.newline = on;
  update_plain();
}

void InputGuard::set_dec_mode(int mode, bool on) {
  switch (mode) {
    case 1:
      modes_.application_cursor = on;
      return;
    case 5:
      modes_.reverse_screen = on;
      canvas_.changed();
      return;
    case 6:
      modes_.origin = on;
      own_wrap_ = false;
      forward(on ? "\x1b[?6h" : "\x1b[?6l");
      out_moved_ = true;
      return;
    case 7: {
      const bool pending = wrap_pending();
      cancel_wrap();
      own_wrap_ = pending;
      modes_.autowrap = on;
      forward(on ? "\x1b[?7h" : "\x1b[?7l");
      flush();
      canvas_.set_wraps(on);
      return;
    }
    case 12:
      modes_.cursor_blink = on;
      blink_ = on;
      return;
    case 25:
      modes_.cursor_visible = on;
      canvas_.changed();
      return;
    case 47:
    case 1047:
    case 1049:
      return set_alternate(mode, on);
    case 66:
      modes_.application_keypad = on;
      return;
    case 69:
      return set_left_right(on);
    case 1004:
      modes_.focus_events = on;
      return;
    case 1007:
      modes_.alternate_scroll = on;
      return;
    case 1048:
      return on ? save_cursor() : restore_cursor();
    case 2004:
      modes_.bracketed_paste = on;
      return;
    case 2026:
      modes_.synchronized = on;
      return;
    default:
      return set_mouse_mode(mode, on);
  }
}

void InputGuard::set_mouse_mode(int mode, bool on) {
  switch (mode) {
    case 9:
    case 1000:
    case 1002:
    case 1003:
      modes_.mouse_tracking = on ? mode : 0;
      return;
    case 1005:
    case 1006:
    case 1015:
    case 1016:
      if (on || modes_.mouse_encoding == mode) modes_.mouse_encoding = on ? mode : 0;
      return;
    default:
      return;
  }
}

/// 47 switches, 1047 clears the alternate screen on leaving, 1049 saves the cursor and clears on entering.
void InputGuard::set_alternate(int mode, bool on) {
  flush();
  if (mode == 1049 && on) save_cursor();
  const bool switches = canvas_.alternate() != on;
  if (switches) {
    if (mode == 1047 && !on) canvas_.grid().erase({0, canvas_.size().rows, 0, canvas_.size().cols}, canvas_.blank());
    const Position at = position();
    const bool pending = wrap_pending();
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

void InputGuard::set_cursor_style(int style) {
  if (style > 6) return;
  modes_.cursor_style = style;
  modes_.cursor_blink.reset();
  blink_ = style == 0 || style % 2 == 1;
  canvas_.changed();
}

void InputGuard::set_pen(const Csi& csi) {
  if (out_draws_) flush();
  apply_sgr(csi, modes_.pen, modes_.underline_color);
  show_pen();
}

void InputGuard::show_pen() {
  canvas_.pen = modes_.pen;
  if (protect_) canvas_.pen.attributes = static_cast<std::uint16_t>(canvas_.pen.attributes | kProtected);
}

void InputGuard::kitty_csi(const Csi& csi) {
  std::vector<int>& stack = modes_.kitty_keyboard;
  const int flags = csi.get(0, 0) & 31;
  if (csi.leader == '>') {
    push_bounded(stack, flags);
  } else if (csi.leader == '<') {
    const auto count = std::min(stack.size(), static_cast<std::size_t>(csi.at_least_one(0)));
    stack.resize(stack.size() - count);
  } else {
    if (stack.empty()) stack.push_back(0);
    const int how = csi.get(1, 1);
    if (how == 1) stack.back() = flags;
    if (how == 2) stack.back() |= flags;
    if (how == 3) stack.back() &= ~flags;
  }
}

void InputGuard::modify_keys(const Csi& csi) {
  const int resource = csi.get(0, csi.final_byte == 'm' ? 4 : 2);
  if (resource == 4) modes_.modify_other_keys = csi.final_byte == 'm' ? csi.get(1, 0) : 0;
}

void InputGuard::designate(char intermediate, char final_byte) {
  switch (intermediate) {
    case '(':
    case ')':
    case '*':
    case '+':
      modes_.charsets[static_cast<std::size_t>(intermediate - '(')] = final_byte;
      return update_plain();
    case '-':
    case '.':
    case '/':
      // 96-character sets: their lower half is ASCII.
      modes_.charsets[static_cast<std::size_t>(intermediate - '-' + 1)] = 'B';
      return update_plain();
    default:
      return;
  }
}

void InputGuard::title_stack(const Csi& csi) {
  if (csi.get(1, 0) == 1) return;  // The icon's name is not ours to keep.
  if (csi.get(0, 0) == 22) {
    push_bounded(titles_, title_);
  } else if (!titles_.empty()) {
    title_ = std::move(titles_.back());
    titles_.pop_back();
    canvas_.changed();
  }
}

/// 1 when set, 2 when reset, 0 when not known: as DECRQM reports it.
int InputGuard::ansi_mode(int mode) const {
  if (mode == 4) return modes_.insert ? 1 : 2;
  if (mode == 20) return modes_.newline ? 1 : 2;
  return 0;
}

int InputGuard::dec_mode(int mode) const {
  const auto report = [](bool on) { return on ? 1 : 2; };
  switch (mode) {
    case 1:
      return report(modes_.application_cursor);
    case 5:
      return report(modes_.reverse_screen);
    case 6:
      return report(modes_.origin);
    case 7:
      return report(modes_.autowrap);
    case 12:
      return report(blink_);
    case 25:
      return report(modes_.cursor_visible);
    case 47:
    case 1047:
    case 1049:
      return report(modes_.alternate);
    case 66:
      return report(modes_.application_keypad);
    case 69:
      return report(modes_.left_right_margins);
    case 9:
    case 1000:
    case 1002:
    case 1003:
      return report(modes_.mouse_tracking == mode);
    case 1004:
      return report(modes_.focus_events);
    case 1005:
    case 1006:
    case 1015:
    case 1016:
      return report(modes_.mouse_encoding == mode);
    case 1007:
      return report(modes_.alternate_scroll);
    case 2004:
      return report(modes_.bracketed_paste);
    case 2026:
      return report(modes_.synchronized);
    default:
      return 0;
  }
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
  Position& main_cursor = saved_[0].at;
  canvas_.resize(size, at, main_cursor);
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
