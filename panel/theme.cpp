#include "panel/theme.h"

#include <utility>

namespace panel {
namespace {

using terminal::Color;
using terminal::Style;

constexpr std::pair<std::string_view, ThemeName> kNames[] = {{"auto", ThemeName::automatic},
                                                             {"dark", ThemeName::dark},
                                                             {"light", ThemeName::light},
                                                             {"high-contrast", ThemeName::high_contrast},
                                                             {"mono", ThemeName::mono}};

/// The colours of a look; what is not named keeps the terminal's own text colour.
struct Colors {
  Color accent, heading, code, link, quote, frame, ok, bad, warning, notice;
  Color command, option, string, variable, operator_;
  Color read_only, automatic, production, shell;
};

// From the operator's own sixteen colours, which suit the background they chose them for.
constexpr Colors dark_colors() {
  const auto c = [](int index) { return Color::indexed(static_cast<std::uint8_t>(index)); };
  return {.accent = c(6),
          .heading = c(14),
          .code = c(11),
          .link = c(12),
          .quote = c(7),
          .frame = c(8),
          .ok = c(2),
          .bad = c(9),
          .warning = c(11),
          .notice = c(3),
          .command = c(10),
          .option = c(14),
          .string = c(3),
          .variable = c(13),
          .operator_ = c(6),
          .read_only = c(12),
          .automatic = c(11),
          .production = c(9),
          .shell = c(10)};
}

// Bright colours vanish on white: the dark half of the palette, and of the 256 those that read well there.
constexpr Colors light_colors() {
  const auto c = [](int index) { return Color::indexed(static_cast<std::uint8_t>(index)); };
  return {.accent = c(30),
          .heading = c(24),
          .code = c(94),
          .link = c(26),
          .quote = c(240),
          .frame = c(245),
          .ok = c(28),
          .bad = c(124),
          .warning = c(130),
          .notice = c(94),
          .command = c(22),
          .option = c(24),
          .string = c(94),
          .variable = c(90),
          .operator_ = c(30),
          .read_only = c(26),
          .automatic = c(130),
          .production = c(160),
          .shell = c(28)};
}

constexpr Colors contrast_colors() {
  const auto c = [](int index) { return Color::indexed(static_cast<std::uint8_t>(index)); };
  return {.accent = c(15),
          .heading = c(15),
          .code = c(11),
          .link = c(14),
          .quote = c(15),
          .frame = c(15),
          .ok = c(10),
          .bad = c(9),
          .warning = c(11),
          .notice = c(11),
          .command = c(10),
          .option = c(15),
          .string = c(11),
          .variable = c(13),
          .operator_ = c(14),
          .read_only = c(14),
          .automatic = c(11),
          .production = c(9),
          .shell = c(10)};
}

Style& role(Theme& theme, Role which) {
  return theme.roles[static_cast<std::size_t>(which)];
}

/// What shows without any colour: weight alone.
void set_weights(Theme& theme) {
  theme.title.attributes = theme.prompt.attributes = theme.question.attributes = theme.key.attributes = terminal::kBold;
  for (const Role which : {Role::question, Role::heading, Role::key, Role::command, Role::bad, Role::warning})
    role(theme, which).attributes = terminal::kBold;
  for (Style& mode : theme.modes) mode.attributes = terminal::kBold;
  theme.found.attributes = terminal::kReverse;
}

void set_colors(Theme& theme, const Colors& colors, bool dim) {
  theme.rule.foreground = theme.title.foreground = theme.prompt.foreground = colors.accent;
  theme.notice.foreground = colors.notice;
  if (dim) theme.muted.attributes = terminal::kDim;
  role(theme, Role::muted) = theme.muted;
  role(theme, Role::comment) = theme.muted;
  const std::pair<Role, Color> kRoleColors[] = {
      {Role::notice, colors.notice},   {Role::heading, colors.heading},   {Role::code, colors.code},
      {Role::link, colors.link},       {Role::quote, colors.quote},       {Role::frame, colors.frame},
      {Role::ok, colors.ok},           {Role::bad, colors.bad},           {Role::warning, colors.warning},
      {Role::command, colors.command}, {Role::option, colors.option},     {Role::string, colors.string},
      {Role::key, colors.accent},      {Role::variable, colors.variable}, {Role::operator_, colors.operator_}};
  for (const auto& [which, color] : kRoleColors) role(theme, which).foreground = color;
  role(theme, Role::link).attributes |= terminal::kUnderlineSingle;
  const Color modes[kModes] = {colors.accent, colors.read_only, colors.automatic, colors.production, colors.shell};
  for (int i = 0; i < kModes; ++i) theme.modes[static_cast<std::size_t>(i)].foreground = modes[i];
  // A production host is not to be overlooked.
  theme.modes[static_cast<std::size_t>(Mode::production)].attributes |= terminal::kReverse;
}

}  // namespace

std::optional<ThemeName> theme_named(std::string_view name) {
  for (const auto& [text, theme] : kNames)
    if (text == name) return theme;
  return std::nullopt;
}

std::string_view name_of(ThemeName name) {
  for (const auto& [text, theme] : kNames)
    if (theme == name) return text;
  return "auto";
}

Theme make_theme(const ThemeOptions& options) {
  Theme theme;
  set_weights(theme);
  ThemeName name = options.name;
  if (name == ThemeName::automatic) name = options.light_background ? ThemeName::light : ThemeName::dark;
  if (options.color && name != ThemeName::mono) {
    const Colors colors = name == ThemeName::light           ? light_colors()
                          : name == ThemeName::high_contrast ? contrast_colors()
                                                             : dark_colors();
    set_colors(theme, colors, name != ThemeName::high_contrast);
  }
  if (!options.unicode) {
    theme.signs = ascii_signs();
    theme.line = "-";
    theme.dot = " - ";
    theme.prompt_sign = ">";
    theme.ellipsis = "~";
    theme.line_break = "|";
  }
  return theme;
}

}  // namespace panel
