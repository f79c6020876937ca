#include "panel/code_block.h"

#include <algorithm>

#include "base/utf8.h"
#include "panel/shell_colors.h"
#include "panel/text_wrap.h"

namespace panel {
namespace {

/// A code block's frame is no longer than this: each cell of it costs three bytes on a slow link.
constexpr int kFrameCells = 32;

bool is_shell(std::string_view language) {
  for (const std::string_view name : {"sh", "bash", "zsh", "shell", "console", "shell-session"})
    if (language == name) return true;
  return false;
}

}  // namespace

Line code_head(std::string_view language, std::string_view remark, int width, int indent, const Signs& signs) {
  Spans spans;
  width = std::min(width, kFrameCells + indent);
  append(spans, std::string(static_cast<std::size_t>(indent), ' '), Role::text);
  append(spans, std::string(signs.corner_tl).append(signs.horizontal), Role::frame);
  const std::string name = shorten(language, std::max(width - indent - 8, 0), signs.ellipsis);
  if (!name.empty()) append(spans, " " + name + " ", Role::muted);
  const int tail = remark.empty() ? 0 : base::text_width(remark) + 3;
  const int room = width - width_of(spans) - tail;
  if (room < 0) return {std::move(spans)};
  append(spans, repeated(signs.horizontal, room), Role::frame);
  if (tail == 0) return {std::move(spans)};
  append(spans, " " + std::string(remark) + " ", Role::key);
  append(spans, signs.horizontal, Role::frame);
  return {std::move(spans)};
}

void add_code_line(std::string_view code, std::string_view language, int width, int indent, const Signs& signs,
                   Lines& out) {
  const std::string bar = std::string(static_cast<std::size_t>(indent), ' ').append(signs.vertical).append(" ");
  const Spans colored = is_shell(language) ? color_shell(code) : Spans{{std::string(code), Role::code, 0}};
  for (const auto& part : wrap_spans(colored, std::max(width - indent - 2, 1))) {
    Spans spans;
    append(spans, bar, Role::frame);
    append(spans, part);
    out.push_back({std::move(spans)});
  }
}

Line code_foot(int width, int indent, const Signs& signs) {
  Spans spans;
  width = std::min(width, kFrameCells + indent);
  append(spans, std::string(static_cast<std::size_t>(indent), ' '), Role::text);
  append(spans, std::string(signs.corner_bl) + repeated(signs.horizontal, std::max(width - indent - 1, 0)),
         Role::frame);
  return {std::move(spans)};
}

}  // namespace panel
