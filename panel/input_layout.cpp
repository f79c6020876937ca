#include "panel/input_layout.h"

#include <algorithm>
#include <utility>

#include "base/grapheme.h"

namespace panel {

InputLayout::InputLayout(std::string_view text, int width, Cells cells)
    : text_(text), width_(std::max(width, 2)), cells_(std::move(cells)) {
  std::size_t from = 0;
  while (true) {
    const std::size_t end = std::min(text_.find('\n', from), text_.size());
    break_line(from, end);
    if (end == text_.size()) break;
    from = end + 1;
  }
  if (width_of(rows_.back().from, rows_.back().to) >= width_) rows_.push_back({text_.size(), text_.size()});
}

void InputLayout::break_line(std::size_t from, std::size_t to) {
  std::size_t start = from;
  std::size_t opportunity = from;  // after the last space of this row
  int used = 0;
  for (std::size_t at = from; at < to;) {
    const std::size_t end = std::min(base::grapheme_end(text_, at), to);
    const int cells = cells_(text_.substr(at, end - at));
    const bool space = text_[at] == ' ';
    if (used + cells > width_ && !space && at > start) {
      const std::size_t cut = opportunity > start ? opportunity : at;
      rows_.push_back({start, cut});
      start = opportunity = cut;
      used = width_of(start, at);
    }
    used += cells;
    at = end;
    if (space) opportunity = at;
  }
  rows_.push_back({start, to});
}

int InputLayout::width_of(std::size_t from, std::size_t to) const {
  int width = 0;
  for (std::size_t at = from; at < to;) {
    const std::size_t end = std::min(base::grapheme_end(text_, at), to);
    width += cells_(text_.substr(at, end - at));
    at = end;
  }
  return width;
}

InputLayout::Position InputLayout::position_of(std::size_t offset) const {
  std::size_t row = 0;
  // The place between two rows of one line is the beginning of the second.
  while (row + 1 < rows_.size() && rows_[row + 1].from <= offset) ++row;
  return {static_cast<int>(row), std::min(width_of(rows_[row].from, std::min(offset, rows_[row].to)), width_ - 1)};
}

std::size_t InputLayout::offset_at(int row, int col) const {
  const auto number = static_cast<std::size_t>(std::clamp(row, 0, static_cast<int>(rows_.size()) - 1));
  std::size_t at = rows_[number].from;
  int used = 0;
  while (at < rows_[number].to) {
    const std::size_t end = base::grapheme_end(text_, at);
    used += cells_(text_.substr(at, end - at));
    if (used > col) break;
    // A soft end belongs to the next row: stay on this one.
    const bool soft_end = end == rows_[number].to && number + 1 < rows_.size() && rows_[number + 1].from == end;
    if (soft_end) break;
    at = end;
  }
  return at;
}

}  // namespace panel
