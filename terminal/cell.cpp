#include "terminal/cell.h"

#include "base/utf8.h"

namespace terminal {

void append_cell_text(std::string& out, const Cell& cell) {
  if (cell.width == 0) return;
  if (cell.chars[0] == 0) {
    out.push_back(' ');
    return;
  }
  for (const char32_t code : cell.chars) {
    if (code == 0) break;
    base::append_utf8(out, code);
  }
}

std::string row_text(const Row& row) {
  std::size_t end = row.cells.size();
  while (end > 0 && row.cells[end - 1].blank() && row.cells[end - 1].width != 0) --end;
  std::string text;
  for (std::size_t i = 0; i < end; ++i) append_cell_text(text, row.cells[i]);
  return text;
}

}  // namespace terminal
