#include "panel/markdown_text.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/utf8.h"
#include "safety/sanitizer.h"

namespace panel {
namespace {

/// The line under a table's head.
bool is_delimiter_row(std::string_view line) {
  return line.find('|') != std::string_view::npos && line.find('-') != std::string_view::npos &&
         line.find_first_not_of("|:- \r") == std::string_view::npos;
}

}  // namespace

std::string entity_text(std::string_view entity) {
  static constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
      {"&amp;", "&"},  {"&lt;", "<"},   {"&gt;", ">"},     {"&quot;", "\""}, {"&apos;", "'"},
      {"&nbsp;", " "}, {"&copy;", "©"}, {"&hellip;", "…"}, {"&mdash;", "—"}, {"&ndash;", "–"}};
  for (const auto& [name, text] : kNamed)
    if (entity == name) return std::string(text);
  if (!entity.starts_with("&#")) return std::string(entity);
  const bool hex = entity.size() > 3 && (entity[2] == 'x' || entity[2] == 'X');
  std::string_view digits = entity.substr(hex ? 3 : 2);
  digits.remove_suffix(1);
  std::uint32_t code = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
  const bool valid = code > 0 && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  std::string text;
  base::append_utf8(text, valid ? static_cast<char32_t>(code) : U'\uFFFD');
  return safety::sanitize(text);  // An entity must not bring in what the text was cleaned of.
}

std::string with_long_dashes(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = text.substr(begin, end - begin);
    begin = end;
    if (!is_delimiter_row(line.substr(0, line.find('\n')))) {
      out += line;
      continue;
    }
    for (std::size_t i = 0; i < line.size(); ++i) {
      out += line[i];
      if (line[i] == '-' && (i == 0 || line[i - 1] != '-')) out += "--";
    }
  }
  return out;
}

}  // namespace panel
