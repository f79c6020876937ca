#include "terminal/grid.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace terminal {

Grid::Grid(base::Size size) : size_(size), lines_(static_cast<std::size_t>(size.rows)) {
  for (Line& line : lines_) line.row.cells.resize(static_cast<std::size_t>(size.cols));
}

Area Grid::clamp(Area area) const {
  return {.top = std::max(area.top, 0),
          .bottom = std::min(area.bottom, size_.rows),
          .left = std::max(area.left, 0),
          .right = std::min(area.right, size_.cols)};
}

void Grid::split(Line& line, int col) {
  if (col <= 0 || col >= size_.cols) return;
  Cell& cell = line.row.cells[static_cast<std::size_t>(col)];
  if (cell.width != 0) return;
  Cell& left = line.row.cells[static_cast<std::size_t>(col - 1)];
  left.chars = {};
  left.width = 1;
  cell.width = 1;
}

void Grid::blank(Line& line, int from, int to, const Style& style) {
  if (from >= to) return;
  split(line, from);
  split(line, to);
  fill_blank(line, from, to, style);
}

void Grid::fill_blank(Line& line, int from, int to, const Style& style) {
  if (to == size_.cols) line.row.wrapped = false;
  Cell empty;
  empty.style = style;
  const bool plain = style == Style{};
  const auto cells = line.row.cells.begin();
  if (plain) {
    std::fill(cells + from, cells + std::max(from, std::min(to, line.used)), empty);
    if (to >= line.used) line.used = std::min(line.used, from);
    return;
  }
  std::fill(cells + from, cells + to, empty);
  line.used = std::max(line.used, to);
}

void Grid::put_ascii(int row, int col, std::string_view text, const Style& style) {
  Line& target = line(row);
  const int end = col + static_cast<int>(text.size());
  split(target, col);
  split(target, end);
  Cell* cell = &target.row.cells[static_cast<std::size_t>(col)];
  for (const char byte : text) {
    cell->chars = {static_cast<unsigned char>(byte)};
    cell->style = style;
    cell->width = 1;
    ++cell;
  }
  target.used = std::max(target.used, end);
  if (end == size_.cols) target.row.wrapped = false;
}

bool Grid::add_mark(int row, int col, char32_t mark) {
  Line& target = line(row);
  if (target.row.cells[static_cast<std::size_t>(col)].width == 0 && col > 0) --col;
  Cell& cell = target.row.cells[static_cast<std::size_t>(col)];
  if (cell.chars[0] == 0) return false;
  for (std::size_t i = 1; i < cell.chars.size(); ++i) {
    if (cell.chars[i] != 0) continue;
    cell.chars[i] = mark;
    return true;
  }
  return false;
}

void Grid::erase(Area area, const Style& blank_style) {
  area = clamp(area);
  for (int row = area.top; row < area.bottom; ++row) blank(line(row), area.left, area.right, blank_style);
}

void Grid::erase_selectively(Area area, const Style& blank_style) {
  area = clamp(area);
  for (int row = area.top; row < area.bottom; ++row) {
    Line& target = line(row);
    for (int col = area.left; col < area.right; ++col) {
      if ((target.row.cells[static_cast<std::size_t>(col)].style.attributes & kProtected) == 0)
        blank(target, col, col + 1, blank_style);
    }
  }
}

void Grid::scroll(Area area, int down, int right, const Style& blank_style) {
  area = clamp(area);
  const int height = area.bottom - area.top;
  const int width = area.right - area.left;
  if (height <= 0 || width <= 0) return;
  if (right == 0 && width == size_.cols) {
    scroll_rows(area.top, area.bottom, down, blank_style);
  } else if (std::abs(down) >= height || std::abs(right) >= width) {
    erase(area, blank_style);
  } else {
    scroll_cells(area, down, right, blank_style);
  }
}

void Grid::scroll_rows(int top, int bottom, int down, const Style& blank_style) {
  const int height = bottom - top;
  down = std::clamp(down, -height, height);
  if (height == size_.rows) {
    first_ = (first_ + down + size_.rows) % size_.rows;
  } else if (down > 0) {
    for (int row = top; row + down < bottom; ++row) std::swap(line(row), line(row + down));
  } else {
    for (int row = bottom - 1; row + down >= top; --row) std::swap(line(row), line(row + down));
  }
  const int from = down > 0 ? bottom - down : top;
  const int to = down > 0 ? bottom : top - down;
  for (int row = from; row < to; ++row) {
    blank(line(row), 0, size_.cols, blank_style);
    line(row).row.wrapped = false;
  }
  // A line whose continuation was moved away from under it ends where it stands.
  if (down > 0 && from > top) line(from - 1).row.wrapped = false;
  if (down < 0) line(bottom - 1).row.wrapped = false;
  if (top > 0) line(top - 1).row.wrapped = false;
}

void Grid::copy_cells(Line& to, int to_col, Line& from, int from_col, int count) {
  const auto source = from.row.cells.begin() + from_col;
  const auto target = to.row.cells.begin() + to_col;
  if (&to == &from && to_col > from_col) {
    std::copy_backward(source, source + count, target + count);
  } else {
    std::copy(source, source + count, target);
  }
  to.used = std::max(to.used, to_col + count);
}

void Grid::scroll_cells(const Area& area, int down, int right, const Style& blank_style) {
  const int from_left = area.left + std::max(right, 0);
  const int to_left = area.left + std::max(-right, 0);
  const int count = area.right - area.left - std::abs(right);
  for (int row = area.top; row < area.bottom; ++row) {
    split(line(row), area.left);
    split(line(row), area.right);
    split(line(row), from_left);
    split(line(row), from_left + count);
  }
  const int first = down >= 0 ? area.top : area.bottom - 1;
  const int step = down >= 0 ? 1 : -1;
  for (int row = first; row >= area.top && row < area.bottom; row += step) {
    const int source = row + down;
    if (source < area.top || source >= area.bottom) {
      fill_blank(line(row), area.left, area.right, blank_style);
      continue;
    }
    copy_cells(line(row), to_left, line(source), from_left, count);
    // What is left where cells came from may be half a character; its other half has moved and is whole.
    if (right > 0) {
      fill_blank(line(row), area.right - right, area.right, blank_style);
    } else {
      fill_blank(line(row), area.left, to_left, blank_style);
    }
    line(row).row.wrapped = false;
  }
}

void Grid::copy(Area area, Position to) {
  area = clamp(area);
  const int height = std::min(area.bottom - area.top, size_.rows - to.row);
  const int width = std::min(area.right - area.left, size_.cols - to.col);
  if (height <= 0 || width <= 0) return;
  std::vector<Line> source;
  for (int row = 0; row < height; ++row) {
    source.push_back(line(area.top + row));
    split(source.back(), area.left);
    split(source.back(), area.left + width);
  }
  for (int row = 0; row < height; ++row) {
    Line& target = line(to.row + row);
    split(target, to.col);
    split(target, to.col + width);
    copy_cells(target, to.col, source[static_cast<std::size_t>(row)], area.left, width);
  }
}

void Grid::fill(Area area, char32_t code, const Style& style) {
  area = clamp(area);
  for (int row = area.top; row < area.bottom; ++row) {
    for (int col = area.left; col < area.right; ++col) put(row, col, code, 1, style);
  }
}

void Grid::clear() {
  erase({.top = 0, .bottom = size_.rows, .left = 0, .right = size_.cols}, Style{});
}

void Grid::straighten() {
  std::rotate(lines_.begin(), lines_.begin() + first_, lines_.end());
  first_ = 0;
}

void Grid::set_cols(int cols) {
  if (cols == size_.cols) return;
  for (Line& line : lines_) {
    split(line, cols);
    line.row.cells.resize(static_cast<std::size_t>(cols));
    if (cols < size_.cols) line.row.cells.shrink_to_fit();
    line.used = std::min(line.used, cols);
  }
  size_.cols = cols;
}

void Grid::remove_top(int count) {
  straighten();
  lines_.erase(lines_.begin(), lines_.begin() + count);
  size_.rows -= count;
}

void Grid::remove_bottom(int count) {
  straighten();
  lines_.resize(lines_.size() - static_cast<std::size_t>(count));
  size_.rows -= count;
  if (!lines_.empty()) lines_.back().row.wrapped = false;
}

void Grid::add_bottom(int count) {
  straighten();
  for (int i = 0; i < count; ++i) {
    lines_.emplace_back().row.cells.resize(static_cast<std::size_t>(size_.cols));
  }
  size_.rows += count;
}

void Grid::add_top(Row row) {
  straighten();
  Line& added = *lines_.insert(lines_.begin(), Line{std::move(row), 0});
  std::vector<Cell>& cells = added.row.cells;
  const auto cols = static_cast<std::size_t>(size_.cols);
  const bool cuts_wide = cells.size() > cols && cells[cols].width == 0;
  cells.resize(cols);
  if (cuts_wide) cells.back() = Cell{};
  added.used = size_.cols;
  ++size_.rows;
}

}  // namespace terminal
