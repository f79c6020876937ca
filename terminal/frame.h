#pragma once

#include <string_view>
#include <vector>

#include "base/size.h"
#include "terminal/cell.h"

namespace terminal {

/// A whole picture for the operator's terminal: cells and where the cursor stands. Composed each time from scratch
/// (the remote's rows, then the panel over them); it never reaches back into the Screen.
struct Frame {
  explicit Frame(base::Size size);

  base::Size size;
  std::vector<Row> rows;
  Cursor cursor;

  Cell& at(int row, int col) { return rows[static_cast<std::size_t>(row)].cells[static_cast<std::size_t>(col)]; }
  const Cell& at(int row, int col) const {
    return rows[static_cast<std::size_t>(row)].cells[static_cast<std::size_t>(col)];
  }

  /// Writes UTF-8 text from (row, col) rightwards, at most `limit` cells wide, and returns the column after it.
  /// Controls are not drawn; a wide character that would be cut in half is left out; the halves of wide characters
  /// it overwrites are blanked.
  int put_text(int row, int col, std::string_view text, const Style& style, int limit);
  /// Fills a part of a row with blanks of this style.
  void fill(int row, int col, int width, const Style& style);
};

}  // namespace terminal
