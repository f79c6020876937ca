#include "tests/support/describe_modes.h"

#include <sstream>

namespace support {

namespace {

std::string describe(terminal::Color color) {
  if (color.is_indexed()) return std::to_string(color.index());
  if (!color.is_rgb()) return "default";
  return "rgb " + std::to_string(color.red()) + "," + std::to_string(color.green()) + "," +
         std::to_string(color.blue());
}

std::string joined(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += std::to_string(number) + " ";
  return text;
}

}  // namespace

std::string describe(const terminal::Style& style) {
  return describe(style.foreground) + " on " + describe(style.background) + " attributes " +
         std::to_string(style.attributes);
}

std::string describe(const terminal::Modes& modes) {
  std::ostringstream out;
  out << "alternate " << (modes.alternate ? modes.alternate_mode : 0) << "\ncursor visible " << modes.cursor_visible
      << " blink " << modes.cursor_blink.value_or(false) << " style " << modes.cursor_style << "\napplication cursor "
      << modes.application_cursor << " keypad " << modes.application_keypad << "\nautowrap " << modes.autowrap
      << " origin " << modes.origin << " insert " << modes.insert << " newline " << modes.newline << " reverse "
      << modes.reverse_screen << "\nmargins " << modes.margin_top << "-" << modes.margin_bottom << " "
      << modes.margin_left << "-" << modes.margin_right << " on " << modes.left_right_margins << "\nmouse "
      << modes.mouse_tracking << " encoding " << modes.mouse_encoding << " alternate scroll " << modes.alternate_scroll
      << "\nfocus " << modes.focus_events << " paste " << modes.bracketed_paste << " synchronized "
      << modes.synchronized << "\nkitty " << joined(modes.kitty_keyboard) << "other keys " << modes.modify_other_keys
      << "\ncharsets " << std::string(modes.charsets.begin(), modes.charsets.end()) << " shift " << modes.shift
      << "\npen " << describe(modes.pen) << " underline colour '" << modes.underline_color << "' link '"
      << modes.hyperlink << "'\ntabs " << (modes.tab_stops_changed ? joined(modes.tab_stops) : "as usual") << "\n";
  return out.str();
}

}  // namespace support
