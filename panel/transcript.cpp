#include "panel/transcript.h"

#include <algorithm>

#include "base/utf8.h"
#include "panel/text_wrap.h"

namespace panel {

void Transcript::add(Speaker speaker, std::string_view text) {
  Entry entry{speaker, std::string(base::cut_utf8(text, kMaxBytes / 4)), {}};
  std::replace(entry.text.begin(), entry.text.end(), '\t', ' ');
  bytes_ += entry.text.size();
  if (wrapped_width_ > 0) {
    entry.lines = wrap_text(entry.text, wrapped_width_);
    added_ += static_cast<int>(entry.lines.size());
  }
  entries_.push_back(std::move(entry));
  while (entries_.size() > kMaxEntries || bytes_ > kMaxBytes) {
    bytes_ -= entries_.front().text.size();
    entries_.pop_front();
  }
}

void Transcript::append(Speaker speaker, std::string_view text) {
  if (entries_.empty() || entries_.back().speaker != speaker) return add(speaker, text);
  Entry& last = entries_.back();
  if (last.text.size() + text.size() > kMaxBytes / 4) return;  // An answer this long has no reader.
  const std::size_t from = last.text.size();
  last.text += text;
  std::replace(last.text.begin() + static_cast<std::ptrdiff_t>(from), last.text.end(), '\t', ' ');
  bytes_ += text.size();
  if (wrapped_width_ == 0) return;
  const auto before = static_cast<int>(last.lines.size());
  last.lines = wrap_text(last.text, wrapped_width_);
  added_ += static_cast<int>(last.lines.size()) - before;
}

int Transcript::wrap_all(int width) {
  int total = 0;
  for (Entry& entry : entries_) {
    if (entry.lines.empty() || width != wrapped_width_) entry.lines = wrap_text(entry.text, width);
    total += static_cast<int>(entry.lines.size());
  }
  wrapped_width_ = width;
  return total;
}

std::vector<Transcript::Line> Transcript::view(int width, int rows) {
  const int total = wrap_all(std::max(width, 1));
  rows = std::max(rows, 0);
  if (below_ > 0) below_ += added_;
  added_ = 0;
  below_ = std::clamp(below_, 0, std::max(total - rows, 0));
  above_ = std::max(total - rows - below_, 0);

  std::vector<Line> lines;
  int number = 0;
  const int end = total - below_;
  for (const Entry& entry : entries_) {
    for (std::size_t i = 0; i < entry.lines.size(); ++i, ++number) {
      if (number >= above_ && number < end) lines.push_back({entry.speaker, i == 0, entry.lines[i]});
    }
  }
  return lines;
}

void Transcript::scroll(int lines) {
  below_ = std::clamp(below_ - lines, 0, static_cast<int>(kMaxBytes));
}

}  // namespace panel
