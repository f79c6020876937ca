#pragma once

#include <cstdint>

#include "base/size.h"

namespace panel {

/// Where the panel lies: over the lower rows, over everything, or beside the session, which then is narrower.
enum class Layout : std::uint8_t { overlay, full, split };

/// Which part of the terminal is the panel's and how the operator changed that.
class PanelLayout {
 public:
  static constexpr int kSplitFrom = 140;  ///< Columns; with fewer neither side would be usable.

  Layout kind(base::Size terminal) const {
    return layout_ == Layout::split && terminal.cols < kSplitFrom ? Layout::overlay : layout_;
  }
  base::Area area(base::Size terminal) const;
  /// The size the remote has: all of the terminal, unless the panel lies beside it.
  base::Size remote_size(base::Size terminal, bool open) const;

  void toggle_full() { layout_ = layout_ == Layout::full ? Layout::overlay : Layout::full; }
  /// False when the terminal is too narrow for it.
  bool toggle_split(base::Size terminal);
  void set(Layout layout) { layout_ = layout; }
  /// Makes the overlay higher or lower by one row.
  void grow(int rows, base::Size terminal);

  /// Rows of an overlay nobody changed: two fifths, at least eight, but where possible one is left to the session.
  static int default_height(base::Size terminal);

 private:
  int height(base::Size terminal) const;

  Layout layout_ = Layout::overlay;
  int extra_rows_ = 0;
};

}  // namespace panel
