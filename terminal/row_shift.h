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

/// True when both rows hold the same bytes. Equal rows may answer false (their padding differs), never the other way.
bool same_memory(const Row& a, const Row& b);

/// The shift that brings most of `before` to where `after` has it; nothing when that would not save several rows.
std::optional<RowShift> find_row_shift(const std::vector<Row>& before, const std::vector<Row>& after);

}  // namespace terminal
