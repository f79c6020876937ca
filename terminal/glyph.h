#pragma once

#include <vector>

#include "terminal/capabilities.h"
#include "terminal/cell.h"

namespace terminal {

/// How far terminals agree about the width of what a cell holds.
enum class WidthTrust : std::uint8_t {
  sure,
  ambiguous,  ///< One cell nearly everywhere, two where the operator set it so: box drawing, symbols.
  doubtful,   ///< Emoji, marks on marks, anything newer than somebody's tables.
};

WidthTrust width_trust(const Cell& cell, const Capabilities& capabilities);

/// A row as it can be written to this terminal, exactly `cols` cells: a remote may have put anything into the cells.
///
/// In the result a wide character always has its second half; nothing but printable characters is left (no control, no
/// C1, no bidirectional override, nothing that joins cells or hides); styles are those of degrade(); and of a blank
/// only that part of the style counts which shows.
void shown_row(const Row& row, int cols, const Capabilities& capabilities, std::vector<Cell>& out);

/// A blank that an erase leaves behind when the pen has its style.
bool erasable(const Cell& cell, const Capabilities& capabilities);

}  // namespace terminal
