#pragma once

#include <string_view>
#include <vector>

#include "base/size.h"
#include "terminal/cell.h"

namespace terminal {

struct Position {
  int row = 0;
  int col = 0;

  friend bool operator==(const Position&, const Position&) = default;
};

/// A rectangle of cells; bottom and right are one past the last.
struct Area {
  int top = 0;
  int bottom = 0;
  int left = 0;
  int right = 0;
};

/// Cells written under DECSCA, which selective erase leaves alone. Not a look, so not in cell.h.
inline constexpr std::uint16_t kProtected = 1 << 15;

/// The rows of one screen, held as a ring: scrolling all of it moves no cell.
///
/// Each row knows how many of its cells were ever touched, so that clearing and storing short lines costs little.
/// It keeps one rule: a cell of width 2 is followed by one of width 0, and neither stands alone.
class Grid {
 public:
  explicit Grid(base::Size size);

  base::Size size() const { return size_; }
  const Row& row(int index) const { return line(index).row; }
  /// Cells from here on to the end of the row are empty and without colour.
  int used(int index) const { return line(index).used; }

  void put(int row, int col, char32_t code, int width, const Style& style);
  /// Puts ASCII text that fits into the row.
  void put_ascii(int row, int col, std::string_view text, const Style& style);
  /// Adds a combining mark to a character; past the fourth it is dropped. False when there is no character there.
  bool add_mark(int row, int col, char32_t mark);

  void erase(Area area, const Style& blank);
  /// Erases what is not protected.
  void erase_selectively(Area area, const Style& blank);
  /// Moves the cells of the area up (down > 0) and left (right > 0), and blanks what that leaves free.
  void scroll(Area area, int down, int right, const Style& blank);
  void copy(Area area, Position to);
  void fill(Area area, char32_t code, const Style& style);
  void clear();
  void set_wrapped(int row, bool wrapped) { line(row).row.wrapped = wrapped; }

  void set_cols(int cols);
  void remove_top(int count);
  void remove_bottom(int count);
  void add_bottom(int count);
  void add_top(Row row);

 private:
  struct Line {
    Row row;
    int used = 0;
  };

  Line& line(int index) { return lines_[slot(index)]; }
  const Line& line(int index) const { return lines_[slot(index)]; }
  std::size_t slot(int index) const {
    const int at = first_ + index;
    return static_cast<std::size_t>(at < size_.rows ? at : at - size_.rows);
  }
  Area clamp(Area area) const;
  /// Blanks a wide character of which only one half lies left of `col`.
  void split(Line& line, int col);
  void blank(Line& line, int from, int to, const Style& style);
  /// The same where no wide character can be cut.
  void fill_blank(Line& line, int from, int to, const Style& style);
  void scroll_rows(int top, int bottom, int down, const Style& blank_style);
  void scroll_cells(const Area& area, int down, int right, const Style& blank_style);
  void copy_cells(Line& to, int to_col, Line& from, int from_col, int count);
  void straighten();

  base::Size size_;
  std::vector<Line> lines_;
  int first_ = 0;  ///< Slot of row 0.
};

inline void Grid::put(int row, int col, char32_t code, int width, const Style& style) {
  Line& target = line(row);
  Cell* cell = &target.row.cells[static_cast<std::size_t>(col)];
  if (cell->width != 1) {
    split(target, col);
    split(target, col + 1);
  }
  cell->chars = {code};
  cell->style = style;
  cell->width = 1;
  int end = col + 1;
  if (width == 2) {
    split(target, col + 2);
    cell->width = 2;
    cell[1].chars = {};
    cell[1].style = style;
    cell[1].width = 0;
    end = col + 2;
  }
  if (end > target.used) target.used = end;
  if (end == size_.cols) target.row.wrapped = false;
}

}  // namespace terminal
