#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/size.h"
#include "terminal/capabilities.h"
#include "terminal/cell.h"

namespace terminal {

/// Writes cells, movements and erasures as terminal bytes, remembering where the terminal's cursor and pen are so that
/// it says nothing twice. Cells given to it come from shown_row().
class TtyWriter {
 public:
  explicit TtyWriter(const Capabilities& capabilities) : capabilities_(capabilities) {}

  /// Begins the bytes for a terminal of this size.
  void start(base::Size size);
  /// Forgets what it knows of the terminal: somebody else has written to it.
  void forget();

  void put(int row, int col, const Cell& cell);
  /// Paints from here to the end of the row with this style's background.
  void erase_to_end(int row, int col, const Style& style);
  /// Writes the cells of a line from where the cursor is, and erases what stood behind them: for lines that scroll, of
  /// which nobody can tell the position.
  void put_line(const std::vector<Cell>& cells);
  /// Writes one cell where the cursor is.
  void put_here(const Cell& cell);
  void append(std::string_view bytes) { out_ += bytes; }
  void erase_cells(int row, int col, int count, const Style& style);
  void clear_screen();
  /// Moves rows [top, bottom] up by `lines` (down when negative); default blanks come in.
  void scroll(int top, int bottom, int lines);
  void move_to(int row, int col);

  const Style& pen() const { return pen_; }
  /// The bytes since start(), with wrapping switched back on.
  std::string take();

 private:
  void move_absolutely(int row, int col);
  void set_pen(const Style& style);
  void stop_wrapping();
  void append_sgr(const Style& style, bool from_default);
  void append_color(Color color, bool foreground);
  void append_number(int number);
  void put_unsure_width(int row, int col, const Cell& cell);

  const Capabilities& capabilities_;
  base::Size size_;
  std::string out_;
  Style pen_;
  bool pen_known_ = false;
  int row_ = 0;
  int col_ = 0;
  bool position_known_ = false;
  bool after_ambiguous_ = false;  ///< The position holds if the last characters took one cell each.
  bool wrapping_stopped_ = false;
};

}  // namespace terminal
