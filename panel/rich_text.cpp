#include "panel/rich_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "panel/text_wrap.h"

namespace panel {
namespace {

/// The part [begin, end) of the text that `spans` make together.
Spans slice(const Spans& spans, std::size_t begin, std::size_t end) {
  Spans part;
  std::size_t at = 0;
  for (const Span& span : spans) {
    const std::size_t from = std::max(begin, at);
    const std::size_t to = std::min(end, at + span.text.size());
    if (from < to) part.push_back({span.text.substr(from - at, to - from), span.role, span.attributes});
    at += span.text.size();
    if (at >= end) break;
  }
  return part;
}

}  // namespace

Signs ascii_signs() {
  Signs signs;
  signs.horizontal = "-";
  signs.vertical = signs.quote = "|";
  signs.corner_tl = signs.corner_tr = signs.corner_bl = signs.corner_br = "+";
  signs.tee_down = signs.tee_up = signs.tee_right = signs.tee_left = signs.cross = "+";
  signs.bullet = "*";
  signs.ellipsis = "~";
  signs.dot = "-";
  signs.done = "+";
  signs.failed = "x";
  signs.remote = "$";
  signs.local = "#";
  signs.skill = "@";
  signs.thinking = "*";
  signs.folded = ">";
  signs.unfolded = "v";
  signs.more_below = "v";
  signs.more_above = "^";
  signs.prompt = ">";
  signs.line_break = "|";
  signs.checked = "x";
  signs.unchecked = "o";
  return signs;
}

void append(Spans& spans, std::string_view text, Role role, std::uint16_t attributes) {
  if (text.empty()) return;
  if (!spans.empty() && spans.back().role == role && spans.back().attributes == attributes)
    spans.back().text += text;
  else
    spans.push_back({std::string(text), role, attributes});
}

void append(Spans& spans, const Spans& more) {
  for (const Span& span : more) append(spans, span.text, span.role, span.attributes);
}

int width_of(const Spans& spans) {
  int width = 0;
  for (const Span& span : spans) width += base::text_width(span.text);
  return width;
}

std::string text_of(const Spans& spans) {
  std::string text;
  for (const Span& span : spans) text += span.text;
  return text;
}

std::vector<Spans> wrap_spans(const Spans& spans, int width) {
  std::vector<Spans> rows;
  const std::string text = text_of(spans);
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    for (const auto& part : wrap_ranges(line, width))
      rows.push_back(slice(spans, begin + part.begin, begin + part.end));
    if (end == text.size()) return rows;
    begin = end + 1;
  }
}

std::string repeated(std::string_view sign, int times) {
  std::string run;
  for (int i = 0; i < times; ++i) run += sign;
  return run;
}

}  // namespace panel
