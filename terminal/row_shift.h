#pragma once

#include <optional>
#include <vector>

#include "terminal/cell.h"

namespace terminal {

/// Rows [top, bottom] that moved up by `lines`, or down when it is negative.
struct RowShift {
  int top = 0;
  int bottom = 0;
  int lines = 0;

  friend bool operator==(const RowShift&, const RowShift&) = default;
};

/// Whether both rows show the same; by comparing memory, which is much quicker than cell by cell.
bool same_cells(const Row& a, const Row& b);

/// The shift that brings most of `before` to where `after` has it; nothing when that would not save several rows.
std::optional<RowShift> find_row_shift(const std::vector<Row>& before, const std::vector<Row>& after);

}  // namespace terminal
