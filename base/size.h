#pragma once

namespace base {

/// The size of a terminal or of a part of one, in character cells.
struct Size {
  int rows = 24;
  int cols = 80;

  friend bool operator==(const Size&, const Size&) = default;
};

}  // namespace base
