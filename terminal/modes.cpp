#include "terminal/modes.h"

#include <algorithm>

#include "terminal/sgr.h"

namespace terminal {
namespace {

std::string dec(int mode, bool on) {
  return "\x1b[?" + std::to_string(mode) + (on ? 'h' : 'l');
}

/// What reports the operator's keys, mouse and focus in ways that only the remote asked for.
std::string reports(const Modes& modes, bool on) {
  std::string out;
  if (modes.mouse_encoding != 0 && on) out += dec(modes.mouse_encoding, true);
  if (modes.mouse_tracking != 0) out += dec(modes.mouse_tracking, on);
  if (modes.mouse_encoding != 0 && !on) out += dec(modes.mouse_encoding, false);
  if (modes.alternate_scroll) out += dec(1007, on);
  if (modes.focus_events) out += dec(1004, on);
  if (modes.bracketed_paste) out += dec(2004, on);
  if (modes.application_cursor) out += dec(1, on);
  if (modes.application_keypad) out += on ? "\x1b=" : "\x1b>";
  // The flags on top of the stack are replaced, not pushed: the stack is the remote's.
  if (!modes.kitty_keyboard.empty()) out += "\x1b[=" + std::to_string(on ? modes.kitty_keyboard.back() : 0) + ";1u";
  if (modes.modify_other_keys != 0) out += "\x1b[>4;" + std::to_string(on ? modes.modify_other_keys : 0) + 'm';
  return out;
}

std::string designations(const Modes& modes) {
  std::string out;
  for (std::size_t i = 0; i < modes.charsets.size(); ++i) {
    // G2 and G3 are asked for only when used: small terminals print what they do not know.
    if (i < 2 || modes.charsets[i] != 'B') out += {'\x1b', static_cast<char>('(' + i), modes.charsets[i]};
  }
  static constexpr const char* kShifts[] = {"\x0f", "\x0e", "\x1bn", "\x1bo"};
  return out + kShifts[modes.shift & 3];
}

std::string tab_stops(const Modes& modes) {
  if (!modes.tab_stops_changed) return {};
  std::string out = "\x1b[3g";
  for (const int col : modes.tab_stops) out += "\x1b[" + std::to_string(col + 1) + "G\x1bH";
  return out;
}

std::string margins(const Modes& modes) {
  std::string out;
  if (modes.margin_bottom >= 0)
    out += "\x1b[" + std::to_string(modes.margin_top + 1) + ';' + std::to_string(modes.margin_bottom) + 'r';
  if (modes.left_right_margins) {
    out += dec(69, true);
    if (modes.margin_right >= 0)
      out += "\x1b[" + std::to_string(modes.margin_left + 1) + ';' + std::to_string(modes.margin_right) + 's';
  }
  if (modes.origin) out += dec(6, true);
  return out;
}

std::string pen(const Modes& modes) {
  std::string parameters = sgr_parameters(modes.pen);
  if (!modes.underline_color.empty()) parameters += ';' + modes.underline_color;
  return "\x1b[" + parameters + 'm';
}

}  // namespace

std::string make_plain(const Modes& modes) {
  std::string out;
  if (modes.synchronized) out += dec(2026, false);
  if (!modes.hyperlink.empty()) out += "\x1b]8;;\x1b\\";
  out += reports(modes, false);
  if (modes.origin) out += dec(6, false);
  if (modes.left_right_margins) out += dec(69, false);
  if (modes.margin_bottom >= 0) out += "\x1b[r";
  if (modes.insert) out += "\x1b[4l";
  if (modes.newline) out += "\x1b[20l";
  if (!modes.autowrap) out += dec(7, true);
  if (modes.reverse_screen) out += dec(5, false);
  out += "\x1b[m";
  if (modes.charsets != Modes{}.charsets || modes.shift != 0) out += designations(Modes{});
  return out;
}

std::string restore_modes(const Modes& modes) {
  std::string out = tab_stops(modes) + designations(modes);
  if (modes.reverse_screen) out += dec(5, true);
  if (!modes.autowrap) out += dec(7, false);
  if (modes.insert) out += "\x1b[4h";
  if (modes.newline) out += "\x1b[20h";
  out += margins(modes) + pen(modes) + reports(modes, true);
  if (modes.cursor_style != 0) out += "\x1b[" + std::to_string(modes.cursor_style) + " q";
  if (modes.cursor_blink) out += dec(12, *modes.cursor_blink);
  out += dec(25, modes.cursor_visible);
  if (!modes.hyperlink.empty()) out += "\x1b]8;" + modes.hyperlink + "\x1b\\";
  if (modes.synchronized) out += dec(2026, true);
  return out;
}

std::string default_tab_stops(int cols) {
  Modes modes;
  modes.tab_stops_changed = true;
  for (int col = 8; col < cols; col += 8) modes.tab_stops.push_back(col);
  // DECST8C says it in one word to those who know it.
  return tab_stops(modes) + "\x1b[?5W";
}

std::string cursor_to(const Modes& modes, int row, int col) {
  if (modes.origin) {
    row = std::max(row - modes.margin_top, 0);
    if (modes.left_right_margins) col = std::max(col - modes.margin_left, 0);
  }
  return "\x1b[" + std::to_string(row + 1) + ';' + std::to_string(col + 1) + 'H';
}

}  // namespace terminal
