#pragma once

namespace base {

/// The size of a terminal or of a part of one, in character cells.
struct Size {
  int rows = 24;
  int cols = 80;

  friend bool operator==(const Size&, const Size&) = default;
};

/// A rectangle of cells: its upper left corner and its size.
struct Area {
  int row = 0;
  int col = 0;
  Size size;

  friend bool operator==(const Area&, const Area&) = default;
};

}  // namespace base
