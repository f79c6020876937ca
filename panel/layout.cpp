#include "panel/layout.h"

#include <algorithm>

namespace panel {
namespace {

constexpr int kMinHeight = 8;
constexpr int kSmallest = 4;  ///< The operator may make it this low.

int split_width(base::Size terminal) {
  return std::max(terminal.cols * 2 / 5, 56);
}

int most_rows(base::Size terminal) {
  return terminal.rows > 1 ? terminal.rows - 1 : terminal.rows;
}

}  // namespace

int PanelLayout::default_height(base::Size terminal) {
  const int two_fifths = (terminal.rows * 2 + 2) / 5;
  return std::min(std::max(two_fifths, kMinHeight), most_rows(terminal));
}

int PanelLayout::height(base::Size terminal) const {
  const int most = most_rows(terminal);
  return std::clamp(default_height(terminal) + extra_rows_, std::min(kSmallest, most), most);
}

base::Area PanelLayout::area(base::Size terminal) const {
  switch (kind(terminal)) {
    case Layout::full:
      return {0, 0, terminal};
    case Layout::split: {
      const int cols = split_width(terminal);
      return {0, terminal.cols - cols, {terminal.rows, cols}};
    }
    case Layout::overlay:
      break;
  }
  const int rows = height(terminal);
  return {terminal.rows - rows, 0, {rows, terminal.cols}};
}

base::Size PanelLayout::remote_size(base::Size terminal, bool open) const {
  if (!open || kind(terminal) != Layout::split) return terminal;
  return {terminal.rows, terminal.cols - split_width(terminal)};
}

bool PanelLayout::toggle_split(base::Size terminal) {
  if (layout_ == Layout::split) {
    layout_ = Layout::overlay;
    return true;
  }
  if (terminal.cols < kSplitFrom) return false;
  layout_ = Layout::split;
  return true;
}

void PanelLayout::grow(int rows, base::Size terminal) {
  if (kind(terminal) != Layout::overlay) return;
  extra_rows_ += rows;
  // Steps against the end of what is possible are not remembered.
  extra_rows_ = height(terminal) - default_height(terminal);
}

}  // namespace panel
