#pragma once

#include <string_view>

#include "terminal/cell.h"

namespace panel {

/// How the panel looks: its styles and its signs.
struct Theme {
  terminal::Style text;
  terminal::Style rule;
  terminal::Style title;
  terminal::Style prompt;
  terminal::Style question;
  terminal::Style notice;
  terminal::Style key;    ///< A key's name in the hints.
  terminal::Style muted;  ///< What a key does, and other side remarks.

  std::string_view line = "─";
  std::string_view dot = " · ";
  std::string_view prompt_sign = "›";
  std::string_view ellipsis = "…";
  std::string_view line_break = "⏎";
};

struct ThemeOptions {
  bool color = true;    ///< False when NO_COLOR is set or the terminal has none: then only bold tells things apart.
  bool unicode = true;  ///< False when the locale is not UTF-8: signs in ASCII.
};

Theme make_theme(const ThemeOptions& options);

}  // namespace panel
