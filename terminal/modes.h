#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "terminal/cell.h"

namespace terminal {

/// What the remote's bytes have changed about a terminal besides its cells: everything a panel disturbs and must put
/// back. Filled in by the InputGuard as sequences pass.
struct Modes {
  bool alternate = false;            ///< 47, 1047 or 1049 is on.
  int alternate_mode = 1049;         ///< Which of them switched it on.
  bool cursor_visible = true;        ///< 25
  std::optional<bool> cursor_blink;  ///< 12, when it was set or reset since the last DECSCUSR.
  int cursor_style = 0;              ///< DECSCUSR 0-6
  bool application_cursor = false;   ///< DECCKM
  bool application_keypad = false;   ///< DECKPAM
  bool autowrap = true;              ///< DECAWM
  bool origin = false;               ///< DECOM
  bool insert = false;               ///< IRM
  bool newline = false;              ///< LNM
  bool reverse_screen = false;       ///< DECSCNM
  int margin_top = 0;                ///< First row of the scroll region, from 0.
  int margin_bottom = -1;            ///< Row after the last; -1: none set.
  int margin_left = 0;               ///< As above for columns, while 69 is on.
  int margin_right = -1;
  bool left_right_margins = false;                      ///< 69
  int mouse_tracking = 0;                               ///< 0, 9, 1000, 1002 or 1003
  int mouse_encoding = 0;                               ///< 0, 1005, 1006, 1015 or 1016
  bool alternate_scroll = false;                        ///< 1007
  bool focus_events = false;                            ///< 1004
  bool bracketed_paste = false;                         ///< 2004
  bool synchronized = false;                            ///< 2026
  std::vector<int> kitty_keyboard;                      ///< The stack of flags, newest last; bounded.
  int modify_other_keys = 0;                            ///< XTMODKEYS 4
  std::array<char, 4> charsets = {'B', 'B', 'B', 'B'};  ///< Final bytes designated to G0-G3.
  int shift = 0;                                        ///< Which of them is in GL.
  Style pen;
  std::string underline_color;  ///< Parameters of SGR 58 as sent, empty when unset.
  std::string hyperlink;        ///< OSC 8 parameters;URI while one is open.
  bool tab_stops_changed = false;
  std::vector<int> tab_stops;  ///< When changed: all stops, as columns from 0.

  friend bool operator==(const Modes&, const Modes&) = default;
};

/// Bytes that make a terminal in these modes quiet and plain for the panel: margins, origin, insert off, wrap on,
/// default pen and charsets, no mouse, focus, paste or extended key reports from the remote's side.
/// Resetting margins homes the cursor.
std::string make_plain(const Modes& modes);

/// Bytes that bring a terminal that make_plain() was written to back to these modes, all but the alternate screen,
/// which is the caller's to switch. Margins, tabs and origin move the cursor, so the caller places it afterwards, with
/// cursor_to().
std::string restore_modes(const Modes& modes);

/// Bytes that put a tab stop at every eighth column again, for a terminal this wide. They move the cursor.
std::string default_tab_stops(int cols);

/// Bytes that place the cursor at this row and column (from 0) of the whole screen in a terminal with these modes.
std::string cursor_to(const Modes& modes, int row, int col);

}  // namespace terminal
