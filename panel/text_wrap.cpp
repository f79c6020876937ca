#include "panel/text_wrap.h"

#include <algorithm>

#include "base/grapheme.h"
#include "base/utf8.h"

namespace panel {
namespace {

std::size_t without_trailing_spaces(std::string_view line, std::size_t begin, std::size_t end) {
  while (end > begin && line[end - 1] == ' ') --end;
  return end;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

std::vector<ByteRange> wrap_ranges(std::string_view line, int width) {
  std::vector<ByteRange> parts;
  width = std::max(width, 1);
  const bool ascii = is_ascii(line);  // Then a byte is a character is a cell, which is most text and much quicker.
  if (ascii && line.size() <= static_cast<std::size_t>(width)) return {{0, line.size()}};
  std::size_t start = 0;
  std::size_t opportunity = 0;  // where this line may be broken; none when not after `start`
  int used = 0;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = ascii ? at + 1 : base::grapheme_end(line, at);
    const int cells = ascii ? 1 : base::text_width(line.substr(at, end - at));
    const bool space = line[at] == ' ';
    if (cells == 2) opportunity = at;
    if (used + cells > width && at > start) {
      const std::size_t cut = space || opportunity <= start ? at : opportunity;
      parts.push_back({start, without_trailing_spaces(line, start, cut)});
      start = space ? end : cut;  // a space at the edge has done its work
      used = base::text_width(line.substr(start, std::max(at, start) - start));
      at = std::max(at, start);
      continue;
    }
    used += cells;
    at = end;
    if (space || cells == 2) opportunity = end;
  }
  parts.push_back({start, line.size()});
  return parts;
}

std::vector<std::string> wrap_text(std::string_view text, int width) {
  std::vector<std::string> lines;
  while (true) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    for (const auto& part : wrap_ranges(line, width))
      lines.emplace_back(line.substr(part.begin, part.end - part.begin));
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
