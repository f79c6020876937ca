#include "panel/plain_view.h"

#include <algorithm>

#include "base/grapheme.h"
#include "base/utf8.h"

namespace panel {
namespace {

void add_lines(std::string& out, std::string_view text) {
  if (text.empty()) return;
  out += text;
  if (!out.ends_with('\n')) out += '\n';
}

}  // namespace

std::string PlainView::update(const Panel& panel) {
  std::string out;
  const auto blocks = panel.conversation().blocks_from(next_);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto& [serial, block] = blocks[i];
    const std::string text = block->plain_text();
    if (!block->complete()) {
      if (announced_ != serial) add_lines(out, text);
      announced_ = serial;
      next_ = serial;
      printed_ = 0;
      return out;
    }
    const bool grows = i + 1 == blocks.size() && panel.busy() && block->grows();
    const std::size_t from = serial == next_ ? printed_ : 0;
    const std::size_t end = grows ? text.rfind('\n') + 1 : text.size();
    if (end > from) add_lines(out, std::string_view(text).substr(from, end - from));
    next_ = grows ? serial : serial + 1;
    printed_ = grows ? std::max(end, from) : 0;
  }
  return out;
}

/// One letter more or less is written as that; anything else writes the line again, on a new one.
std::string PlainView::echo(const std::string& text, const std::string& prompt) {
  std::string out;
  const bool same_place = line_shown_ && prompt == prompt_;
  if (same_place && text.starts_with(line_)) {
    out = text.substr(line_.size());
  } else if (same_place && line_.starts_with(text) && base::grapheme_end(line_, text.size()) == line_.size()) {
    for (int i = base::text_width(std::string_view(line_).substr(text.size())); i > 0; --i) out += "\b \b";
  } else {
    out = (line_shown_ ? "\r\n" : "") + prompt + text;
  }
  for (char& c : out)
    if (c == '\n' && !(line_shown_ && out.starts_with("\r\n"))) c = ' ';
  line_ = text;
  prompt_ = prompt;
  line_shown_ = true;
  return out;
}

}  // namespace panel
