#include "panel/theme.h"

namespace panel {

Theme make_theme(const ThemeOptions& options) {
  Theme theme;
  theme.title.attributes = terminal::kBold;
  theme.prompt.attributes = terminal::kBold;
  theme.question.attributes = terminal::kBold;
  theme.key.attributes = terminal::kBold;
  if (options.color) {
    // From the operator's own palette, so that it suits a dark and a light background.
    const auto accent = terminal::Color::indexed(6);
    theme.rule.foreground = accent;
    theme.title.foreground = accent;
    theme.prompt.foreground = accent;
    theme.notice.foreground = terminal::Color::indexed(3);
    theme.muted.attributes = terminal::kDim;
  }
  if (!options.unicode) {
    theme.line = "-";
    theme.dot = " - ";
    theme.prompt_sign = ">";
    theme.ellipsis = "~";
    theme.line_break = "|";
  }
  return theme;
}

}  // namespace panel
