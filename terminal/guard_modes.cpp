// InputGuard: modes and pen. Only what moves characters is told to libvterm; the rest lives in Modes.
#include <algorithm>

#include "terminal/input_guard.h"
#include "terminal/sgr.h"

namespace terminal {
namespace {

constexpr std::size_t kMaxStack = 16;
constexpr std::size_t kMaxSavedModes = 64;

template <typename T>
void push_bounded(std::vector<T>& stack, T value) {
  if (stack.size() == kMaxStack) stack.erase(stack.begin());
  stack.push_back(std::move(value));
}

}  // namespace

bool InputGuard::mode_csi(const Csi& csi) {
  switch (csi.key()) {
    case Csi::key(0, 0, 'h'):
    case Csi::key('?', 0, 'h'):
      set_modes(csi, true);
      return true;
    case Csi::key(0, 0, 'l'):
    case Csi::key('?', 0, 'l'):
      set_modes(csi, false);
      return true;
    case Csi::key('?', 0, 's'):
      for (int i = 0; i < csi.count && saved_modes_.size() < kMaxSavedModes; ++i) {
        saved_modes_[csi.get(i, 0)] = dec_mode(csi.get(i, 0)) == 1;
      }
      return true;
    case Csi::key('?', 0, 'r'):
      for (int i = 0; i < csi.count; ++i) {
        const auto saved = saved_modes_.find(csi.get(i, 0));
        if (saved != saved_modes_.end()) set_dec_mode(saved->first, saved->second);
      }
      return true;
    case Csi::key(0, 0, 'r'):
      set_rows_margin(csi);
      return true;
    case Csi::key(0, 0, 's'):
      if (modes_.left_right_margins) {
        set_cols_margin(csi);
      } else {
        save_cursor();
      }
      return true;
    case Csi::key(0, '!', 'p'):
      soft_reset();
      return true;
    case Csi::key(0, ' ', 'q'):
      set_cursor_style(csi.get(0, 0));
      return true;
    case Csi::key(0, '"', 'q'):
      protect_ = csi.get(0, 0) == 1;
      flush();
      show_pen();
      return true;
    case Csi::key('?', 0, 'J'):
    case Csi::key('?', 0, 'K'):
      if (csi.get(0, 0) <= 2) {
        forward("\x1b[?" + std::to_string(csi.get(0, 0)) + csi.final_byte);
        cancel_wrap();
      }
      return true;
    case Csi::key('?', 0, 'W'):
      if (csi.get(0, 0) == 5) reset_tabs();
      return true;
    case Csi::key(0, ' ', '@'):
      scroll_sideways(csi.at_least_one(0));
      return true;
    case Csi::key(0, ' ', 'A'):
      scroll_sideways(-csi.at_least_one(0));
      return true;
    case Csi::key(0, '\'', '}'):
    case Csi::key(0, '\'', '~'):
      forward("\x1b[" + std::to_string(std::min(csi.at_least_one(0), 1000)) + '\'' + csi.final_byte);
      flush();
      return true;
    case Csi::key('>', 0, 'u'):
    case Csi::key('<', 0, 'u'):
    case Csi::key('=', 0, 'u'):
      kitty_csi(csi);
      return true;
    case Csi::key('>', 0, 'm'):
    case Csi::key('>', 0, 'n'):
      modify_keys(csi);
      return true;
    case Csi::key(0, 0, 't'):
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
  Style pen = modes_.pen;
  if (protect_) pen.attributes = static_cast<std::uint16_t>(pen.attributes | kProtected);
  canvas_.set_pen(pen);
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

}  // namespace terminal
