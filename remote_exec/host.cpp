#include "remote_exec/host.h"

#include "terminal/screen.h"

namespace remote_exec {

ScreenView look_at(const terminal::Screen& screen) {
  ScreenView view;
  const auto& cursor = screen.cursor();
  view.alternate = screen.alternate();
  view.bracketed_paste = screen.modes().bracketed_paste;
  view.size = screen.size();
  int first = cursor.row;
  while (first > 0 && screen.row(first - 1).wrapped) --first;
  for (int row = first; row <= cursor.row; ++row) {
    const auto& cells = screen.row(row).cells;
    const auto end = row < cursor.row ? cells.size() : static_cast<std::size_t>(cursor.col);
    for (std::size_t col = 0; col < end && col < cells.size(); ++col)
      terminal::append_cell_text(view.before_cursor, cells[col]);
  }
  view.whole_line = screen.line_at_cursor();
  return view;
}

}  // namespace remote_exec
