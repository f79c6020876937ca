#pragma once

namespace terminal {

/// Which rows of the screen are shown when the panel leaves fewer than there are. Follows the remote's cursor, and
/// moves only when its row would be hidden.
class Viewport {
 public:
  /// The first row to show of `screen_rows`, when `visible_rows` fit and the cursor is in `cursor_row`.
  int follow(int screen_rows, int visible_rows, int cursor_row);

  /// The answer of the last follow().
  int first_row() const { return first_; }

  /// Forgets where it was: for a panel that opens anew.
  void reset() { first_ = 0; }

 private:
  int first_ = 0;
};

}  // namespace terminal
