#include "terminal/viewport.h"

#include <algorithm>

namespace terminal {

int Viewport::follow(int screen_rows, int visible_rows, int cursor_row) {
  visible_rows = std::max(visible_rows, 1);
  const int last_first = std::max(screen_rows - visible_rows, 0);
  if (cursor_row < first_) first_ = cursor_row;
  if (cursor_row >= first_ + visible_rows) first_ = cursor_row - visible_rows + 1;
  first_ = std::clamp(first_, 0, last_first);
  return first_;
}

}  // namespace terminal
