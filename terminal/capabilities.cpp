#include "terminal/capabilities.h"

#include <langinfo.h>

#include <array>
#include <cstdlib>
#include <initializer_list>

#include "terminal/cell.h"
#include "terminal/terminfo.h"

namespace terminal {
namespace {

using Variable = std::function<std::string(const char*)>;

constexpr std::uint16_t kEveryAttribute = kBold | kDim | kItalic | kBlink | kReverse | kStrike | kConceal | kOverline;

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  for (const auto beginning : beginnings) {
    if (text.starts_with(beginning)) return true;
  }
  return false;
}

/// Terminals that have true colour, curly underline and synchronized output, known by name because their terminfo entry
/// is often missing on the machine at hand.
bool modern_family(std::string_view term) {
  return starts_with_any(term, {"xterm-kitty", "kitty", "foot", "wezterm", "xterm-ghostty", "ghostty", "alacritty",
                                "contour", "rio", "mintty", "iterm2"});
}

/// Where ?2026 is known, or an unknown private mode is known to be ignored. Not the Linux console and hardware
/// terminals.
bool takes_synchronized_output(std::string_view term) {
  return modern_family(term) || starts_with_any(term, {"xterm", "tmux", "vte", "konsole", "st-"});
}

bool promises_true_color(std::string_view term, const Variable& variable) {
  // GNU screen passes on the COLORTERM of the terminal around it but cannot show what that promises; tmux, which may go
  // by the same TERM, can.
  if (term.starts_with("screen") && variable("TMUX").empty()) return false;
  const std::string color_term = variable("COLORTERM");
  return color_term == "truecolor" || color_term == "24bit" || term.ends_with("-direct") || modern_family(term);
}

ColorDepth depth_of(int colors) {
  if (colors >= 256) return ColorDepth::palette256;
  if (colors >= 16) return ColorDepth::ansi16;
  return colors >= 8 ? ColorDepth::ansi8 : ColorDepth::mono;
}

/// What any terminal that is not dumb has had since the VT100, with eight colours.
Capabilities safe_minimum(std::string_view term) {
  Capabilities caps;
  caps.colors = term.find("256color") != std::string_view::npos ? ColorDepth::palette256 : ColorDepth::ansi8;
  caps.attributes = kBold | kReverse;
  caps.switches_wrap = false;
  caps.erases_characters = false;
  return caps;
}

Capabilities nothing() {
  Capabilities caps;
  caps.can_draw = false;
  caps.colors = ColorDepth::mono;
  caps.attributes = 0;
  caps.underline = caps.hides_cursor = caps.switches_wrap = caps.erases_characters = caps.default_colors = false;
  return caps;
}

std::uint16_t attributes_of(const Terminfo& info) {
  static constexpr std::array<std::pair<const char*, Attribute>, 8> kNames = {{{"bold", kBold},
                                                                               {"dim", kDim},
                                                                               {"sitm", kItalic},
                                                                               {"blink", kBlink},
                                                                               {"rev", kReverse},
                                                                               {"smxx", kStrike},
                                                                               {"invis", kConceal},
                                                                               {"Smol", kOverline}}};
  std::uint16_t attributes = 0;
  for (const auto& [name, attribute] : kNames) {
    if (info.has_string(name)) attributes |= attribute;
  }
  return attributes;
}

Capabilities from_terminfo(const Terminfo& info) {
  Capabilities caps;
  caps.can_draw = info.expand("cup", 4, 9) == "\033[5;10H" && info.expand("ed").ends_with("\033[J") &&
                  info.expand("el").ends_with("\033[K");
  caps.colors = depth_of(info.has_string("setaf") ? info.number("colors") : 0);
  if (caps.colors != ColorDepth::mono && (info.has_any("Tc") || info.has_any("RGB"))) {
    caps.colors = ColorDepth::truecolor;
  }
  caps.background_erase = info.flag("bce");
  caps.delayed_wrap = info.flag("xenl") || !info.flag("am");
  caps.switches_wrap = info.expand("rmam") == "\033[?7l";
  caps.synchronized = info.has_any("Sync");
  caps.styled_underline = info.has_any("Smulx") || info.has_any("Su");
  caps.cursor_shape = info.expand("Ss", 2) == "\033[2 q";
  caps.hides_cursor = info.expand("civis").starts_with("\033[?25l");
  caps.erases_characters = info.expand("ech", 3) == "\033[3X";
  caps.scrolls_region = info.expand("csr", 1, 3) == "\033[2;4r" && info.expand("indn", 2) == "\033[2S" &&
                        info.expand("rin", 2) == "\033[2T";
  caps.default_colors = info.flag("AX") || info.expand("op").find("39;49") != std::string::npos;
  caps.attributes = attributes_of(info);
  caps.underline = info.has_string("smul");
  return caps;
}

/// What the environment tells beyond terminfo, mostly because so many terminals call themselves xterm-256color.
void add_environment(Capabilities& caps, std::string_view term, const Variable& variable) {
  if (caps.colors != ColorDepth::mono && promises_true_color(term, variable)) caps.colors = ColorDepth::truecolor;
  caps.synchronized = caps.synchronized || takes_synchronized_output(term);
  if (modern_family(term)) {
    caps.styled_underline = caps.cursor_shape = caps.background_erase = true;
    caps.switches_wrap = caps.erases_characters = caps.scrolls_region = true;
    caps.attributes |= kEveryAttribute & ~kOverline;
  }
  if (std::atoi(variable("VTE_VERSION").c_str()) >= 5102) caps.styled_underline = true;
}

bool cjk_locale(const Variable& variable) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string locale = variable(name);
    if (!locale.empty()) return starts_with_any(locale, {"zh", "ja", "ko"});
  }
  return false;
}

}  // namespace

Capabilities Capabilities::of(const std::string& term, const Variable& variable, std::string_view codeset) {
  const bool dumb = term.empty() || term == "dumb" || term == "unknown";
  Capabilities caps = nothing();
  if (!dumb) {
    const Terminfo info(term);
    caps = info ? from_terminfo(info) : safe_minimum(term);
    if (!caps.can_draw) caps = nothing();
  }
  if (caps.can_draw) add_environment(caps, term, variable);
  caps.utf8 = codeset == "UTF-8" || codeset == "utf8";
  caps.ambiguous_wide = cjk_locale(variable);
  caps.no_color = !variable("NO_COLOR").empty();
  return caps;
}

Capabilities Capabilities::of_environment() {
  const Variable variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  return of(variable("TERM"), variable, ::nl_langinfo(CODESET));
}

}  // namespace terminal
