#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace panel {

/// What a piece of text is; the theme says how that looks. Laid-out lines keep roles, so a new theme needs no new
/// layout.
enum class Role : std::uint8_t {
  text,
  question,
  notice,
  heading,
  code,
  link,
  quote,
  frame,  ///< Lines of tables and boxes.
  muted,
  key,
  ok,
  bad,
  warning,
  command,   ///< Of shell text: the word that is run.
  option,    ///< A word that begins with '-'.
  string,    ///< Something quoted.
  variable,  ///< $HOME, $(…)
  operator_,
  comment,
};
inline constexpr int kRoles = static_cast<int>(Role::comment) + 1;

/// A piece of text with one look. `attributes` (terminal::Attribute) come on top of what the role has.
struct Span {
  std::string text;
  Role role = Role::text;
  std::uint16_t attributes = 0;

  bool same_look(const Span& other) const { return role == other.role && attributes == other.attributes; }
  friend bool operator==(const Span&, const Span&) = default;
};
using Spans = std::vector<Span>;

/// One laid-out row.
struct Line {
  Spans spans;

  friend bool operator==(const Line&, const Line&) = default;
};
using Lines = std::vector<Line>;

/// The signs that lines are made of.
struct Signs {
  std::string_view horizontal = "─", vertical = "│";
  std::string_view corner_tl = "╭", corner_tr = "╮", corner_bl = "╰", corner_br = "╯";
  std::string_view tee_down = "┬", tee_up = "┴", tee_right = "├", tee_left = "┤", cross = "┼";
  std::string_view bullet = "•", quote = "▌", ellipsis = "…", dot = "·";
  std::string_view done = "✓", failed = "✗", remote = "⚡", local = "🖥", skill = "📖", thinking = "✻";
  std::string_view folded = "▸", unfolded = "▾", more_below = "↓", more_above = "↑";
  std::string_view prompt = "›", line_break = "⏎";
  std::string_view checked = "☑", unchecked = "☐";
};
/// The same in ASCII, each one cell wide.
Signs ascii_signs();

/// Adds text, joining it to the last span when that looks the same.
void append(Spans& spans, std::string_view text, Role role, std::uint16_t attributes = 0);
void append(Spans& spans, const Spans& more);

int width_of(const Spans& spans);
std::string text_of(const Spans& spans);
inline std::string text_of(const Line& line) {
  return text_of(line.spans);
}

/// Breaks spans, which may hold '\n', into rows of at most `width` cells.
std::vector<Spans> wrap_spans(const Spans& spans, int width);

/// A run of one sign.
std::string repeated(std::string_view sign, int times);

}  // namespace panel
