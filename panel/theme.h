#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "panel/rich_text.h"
#include "terminal/cell.h"

namespace panel {

/// How much the assistant may do, as the title shows it.
enum class Mode : std::uint8_t { ask, read_only, automatic, production, shell };
inline constexpr int kModes = 5;

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
  terminal::Style found;  ///< What a search found.
  std::array<terminal::Style, kRoles> roles;
  std::array<terminal::Style, kModes> modes;

  Signs signs;
  std::string_view line = "─";
  std::string_view dot = " · ";
  std::string_view prompt_sign = "›";
  std::string_view ellipsis = "…";
  std::string_view line_break = "⏎";

  terminal::Style style_of(const Span& span) const {
    terminal::Style style = roles[static_cast<std::size_t>(span.role)];
    style.attributes |= span.attributes;
    return style;
  }
  const terminal::Style& style_of(Role role) const { return roles[static_cast<std::size_t>(role)]; }
  const terminal::Style& style_of(Mode mode) const { return modes[static_cast<std::size_t>(mode)]; }
};

/// The looks there are. `automatic` is dark or light, as the terminal's background is.
enum class ThemeName : std::uint8_t { automatic, dark, light, high_contrast, mono };
std::optional<ThemeName> theme_named(std::string_view name);
std::string_view name_of(ThemeName name);

struct ThemeOptions {
  bool color = true;    ///< False when NO_COLOR is set or the terminal has none: then only bold tells things apart.
  bool unicode = true;  ///< False when the locale is not UTF-8: signs in ASCII.
  ThemeName name = ThemeName::automatic;
  bool light_background = false;  ///< As far as the terminal told.
};

Theme make_theme(const ThemeOptions& options);

}  // namespace panel
