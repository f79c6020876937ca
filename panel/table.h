#pragma once

#include <vector>

#include "panel/rich_text.h"

namespace panel {

enum class Align : std::uint8_t { left, center, right };

/// A table as the model wrote it: the first row is the head.
struct Table {
  std::vector<Align> columns;
  std::vector<std::vector<Spans>> rows;
};

/// Draws it in at most `width` cells: cells wrap, and where not even that fits, each row becomes a list of
/// "column: value".
Lines draw_table(const Table& table, int width, const Signs& signs);

}  // namespace panel
