#include "panel/text_wrap.h"

#include <algorithm>

#include "base/grapheme.h"
#include "base/utf8.h"

namespace panel {
namespace {

std::string_view without_trailing_spaces(std::string_view text) {
  const auto end = text.find_last_not_of(' ');
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

void wrap_line(std::string_view line, int width, std::vector<std::string>& out) {
  std::size_t start = 0;
  std::size_t opportunity = 0;  // where this line may be broken; none when not after `start`
  int used = 0;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = base::grapheme_end(line, at);
    const int cells = base::text_width(line.substr(at, end - at));
    const bool space = line[at] == ' ';
    if (cells == 2) opportunity = at;
    if (used + cells > width && at > start) {
      const std::size_t cut = space || opportunity <= start ? at : opportunity;
      out.emplace_back(without_trailing_spaces(line.substr(start, cut - start)));
      start = space ? end : cut;  // a space at the edge has done its work
      used = base::text_width(line.substr(start, std::max(at, start) - start));
      at = std::max(at, start);
      continue;
    }
    used += cells;
    at = end;
    if (space || cells == 2) opportunity = end;
  }
  out.emplace_back(line.substr(start));
}

}  // namespace

std::vector<std::string> wrap_text(std::string_view text, int width) {
  std::vector<std::string> lines;
  width = std::max(width, 1);
  while (true) {
    const auto end = text.find('\n');
    wrap_line(text.substr(0, end), width, lines);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string shorten(std::string_view text, int width, std::string_view ellipsis) {
  if (base::text_width(text) <= width) return std::string(text);
  if (width <= 0) return {};
  std::size_t end = 0;
  for (int room = width - 1; end < text.size();) {
    const std::size_t next = base::grapheme_end(text, end);
    room -= base::text_width(text.substr(end, next - end));
    if (room < 0) break;
    end = next;
  }
  return std::string(text.substr(0, end)).append(ellipsis);
}

}  // namespace panel
