#include "terminal/frame.h"

#include <algorithm>

#include "base/utf8.h"

namespace terminal {
namespace {

void make_blank(Cell& cell) {
  cell.chars = {};
  cell.width = 1;
}

/// Before [from, to) is overwritten: what would be left of a wide character that straddles an edge becomes blank.
void release_edges(std::vector<Cell>& cells, int from, int to) {
  const auto begin = static_cast<std::size_t>(from);
  const auto end = static_cast<std::size_t>(to);
  if (begin > 0 && cells[begin].width == 0) make_blank(cells[begin - 1]);
  if (end < cells.size() && cells[end].width == 0) make_blank(cells[end]);
}

/// Puts a combining mark on a cell; beyond kMaxChars it is dropped.
void add_mark(Cell& cell, char32_t mark) {
  const auto free = std::find(cell.chars.begin(), cell.chars.end(), U'\0');
  if (free != cell.chars.end()) *free = mark;
}

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

}  // namespace

Frame::Frame(base::Size frame_size)
    : size{std::max(frame_size.rows, 0), std::max(frame_size.cols, 0)},
      rows(static_cast<std::size_t>(size.rows), Row{std::vector<Cell>(static_cast<std::size_t>(size.cols)), false}) {}

int Frame::put_text(int row, int col, std::string_view text, const Style& style, int limit) {
  if (row < 0 || row >= size.rows || col < 0 || limit <= 0) return col;
  auto& cells = rows[static_cast<std::size_t>(row)].cells;
  const int end = limit < size.cols - col ? col + limit : size.cols;
  Cell* last = nullptr;  // Where a combining mark goes.
  while (!text.empty()) {
    const auto [code, bytes] = base::decode_utf8(text);
    text.remove_prefix(bytes);
    if (is_control(code)) continue;
    const int width = base::char_width(code);
    if (width == 0) {
      if (last) add_mark(*last, code);
      continue;
    }
    if (col + width > end) break;
    release_edges(cells, col, col + width);
    last = &cells[static_cast<std::size_t>(col)];
    *last = Cell{{code}, style, static_cast<std::uint8_t>(width)};
    if (width == 2) cells[static_cast<std::size_t>(col) + 1] = Cell{{}, style, 0};
    col += width;
  }
  return col;
}

void Frame::fill(int row, int col, int width, const Style& style) {
  if (row < 0 || row >= size.rows) return;
  const int from = std::max(col, 0);
  const int to = width < size.cols - col ? col + width : size.cols;
  if (from >= to) return;
  auto& cells = rows[static_cast<std::size_t>(row)].cells;
  release_edges(cells, from, to);
  std::fill(cells.begin() + from, cells.begin() + to, Cell{{}, style, 1});
}

}  // namespace terminal
