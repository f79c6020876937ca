#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace panel {

/// Where the text of an input stands when it is broken into rows: at line breaks, else at spaces, else where it must.
/// Rows are byte ranges of the text; a line break belongs to no row, a space at the edge hangs over it.
class InputLayout {
 public:
  struct Row {
    std::size_t from;
    std::size_t to;
  };
  struct Position {
    int row = 0;
    int col = 0;
  };
  /// Cells of one character as a reader sees it; a chip is as wide as its label.
  using Cells = std::function<int(std::string_view grapheme)>;

  /// There is always a cell for the cursor: a text that fills its last row gets another one.
  InputLayout(std::string_view text, int width, Cells cells);

  const std::vector<Row>& rows() const { return rows_; }
  Position position_of(std::size_t offset) const;
  /// The character at or before this column of a row.
  std::size_t offset_at(int row, int col) const;

 private:
  void break_line(std::size_t from, std::size_t to);
  int width_of(std::size_t from, std::size_t to) const;

  std::string_view text_;
  int width_;
  Cells cells_;
  std::vector<Row> rows_;
};

}  // namespace panel
