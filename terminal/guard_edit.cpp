// InputGuard: erasing, inserting, deleting and scrolling. libvterm computes the areas; what it leaves undone around
// them (pending wraps, the column after line edits, sideways scrolling, rectangles) is done here.
#include <algorithm>

#include "terminal/input_guard.h"

namespace terminal {

/// An edit that libvterm does right, apart from the pending wrap that ends with it, unless all it does is scroll.
void InputGuard::edit(int count, char final_byte) {
  forward(std::min(count, 1000), final_byte);
  flush();
  canvas_.changed();
  if (final_byte != 'S' && final_byte != 'T') cancel_wrap();
}

/// DCH (by > 0) and ICH. libvterm refuses them outside the scrolling rows; terminals do not.
void InputGuard::shift_chars(int by) {
  const Position at = position();
  const Margins limits = margins();
  if (at.col >= limits.left && at.col < limits.right) {
    canvas_.grid().scroll({at.row, at.row + 1, at.col, limits.right}, 0, by, canvas_.blank());
    canvas_.changed();
  }
  cancel_wrap();
}

/// IL and DL: the cursor goes to the left edge, and deleted lines are not history.
void InputGuard::edit_lines(int count, char final_byte) {
  const Position at = position();
  if (!in_margins(at)) return;
  canvas_.keep_history(false);
  edit(count, final_byte);
  canvas_.keep_history(true);
  move_to({at.row, margins().left});
}

void InputGuard::erase_display(const Csi& csi) {
  const int what = csi.get(0, 0);
  if (what == 3) {
    flush();  // What was printed before may still scroll lines out of the screen.
    canvas_.scrollback().clear();
    canvas_.changed();
  } else if (what <= 2) {
    edit(what, 'J');
  }
}

bool InputGuard::edit_csi(const Csi& csi) {
  const int count = csi.at_least_one(0);
  switch (csi.final_byte) {
    case '@':
      shift_chars(-count);
      return true;
    case 'P':
      shift_chars(count);
      return true;
    case 'X':
    case 'S':
      edit(count, csi.final_byte);
      return true;
    case 'T':  // With more parameters, or with 0, it is about mouse highlighting.
      if (csi.count <= 1 && csi.get(0, 1) != 0) edit(count, 'T');
      return true;
    case '^':
      edit(count, 'T');
      return true;
    case 'J':
      erase_display(csi);
      return true;
    case 'K':
      if (csi.get(0, 0) <= 2) edit(csi.get(0, 0), 'K');
      return true;
    case 'L':
    case 'M':
      edit_lines(count, csi.final_byte);
      return true;
    case 'b':
      repeat_last(count);
      return true;
    case 'g':
      if (csi.get(0, 0) == 0) set_tab(false);
      if (csi.get(0, 0) == 3) clear_tabs();
      return true;
    default:
      return false;
  }
}

/// SL (by > 0) and SR.
void InputGuard::scroll_sideways(int by) {
  if (!in_margins(position())) return;
  const Margins limits = margins();
  canvas_.grid().scroll({limits.top, limits.bottom, limits.left, limits.right}, 0, by, canvas_.blank());
  canvas_.changed();
}

/// DECFI (by 1) and DECBI: a cursor at the margin scrolls instead of moving.
void InputGuard::column_index(int by) {
  const Position at = position();
  const Margins limits = margins();
  const int edge = by > 0 ? limits.right - 1 : limits.left;
  if (at.col != edge) return move_to({at.row, at.col + by});
  if (in_margins(at)) scroll_sideways(by);
}

/// DECALN: a screen of E.
void InputGuard::align() {
  modes_.origin = false;
  modes_.margin_top = 0;
  modes_.margin_bottom = -1;
  modes_.margin_left = 0;
  modes_.margin_right = -1;
  forward("\x1b[?6l\x1b[r");
  if (modes_.left_right_margins) forward("\x1b[s");
  move_to({0, 0});
  flush();
  const base::Size size = canvas_.size();
  canvas_.grid().fill({0, size.rows, 0, size.cols}, U'E', Style{});
  canvas_.changed();
}

/// DECFRA, DECERA, DECSERA and DECCRA.
bool InputGuard::rectangle_csi(const Csi& csi) {
  if (csi.leader != 0 || csi.intermediate != '$') return false;
  const char kind = csi.final_byte;
  if (kind != 'x' && kind != 'z' && kind != '{' && kind != 'v') return false;
  flush();
  const base::Size size = canvas_.size();
  const int from = kind == 'x' ? 1 : 0;
  const int row_offset = modes_.origin ? margins().top : 0;
  const int col_offset = modes_.origin ? margins().left : 0;
  const Area area{.top = csi.at_least_one(from) - 1 + row_offset,
                  .bottom = std::min(csi.get(from + 2, size.rows) + row_offset, size.rows),
                  .left = csi.at_least_one(from + 1) - 1 + col_offset,
                  .right = std::min(csi.get(from + 3, size.cols) + col_offset, size.cols)};
  Grid& grid = canvas_.grid();
  if (kind == 'z') grid.erase(area, canvas_.blank());
  if (kind == '{') grid.erase_selectively(area, canvas_.blank());
  const int fill = csi.get(0, 0);
  if (kind == 'x' && fill >= 0x20 && fill < 0x7F) grid.fill(area, static_cast<char32_t>(fill), canvas_.pen());
  if (kind == 'v') grid.copy(area, {csi.at_least_one(5) - 1 + row_offset, csi.at_least_one(6) - 1 + col_offset});
  canvas_.changed();
  return true;
}

}  // namespace terminal
