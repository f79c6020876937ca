#include "app/session/selection.h"

#include <algorithm>
#include <utility>

namespace app {
namespace {

using terminal::KeyKind;
using terminal::MouseAction;

constexpr int kWholeLine = 1'000'000;

/// The number of the line in the screen's first row.
std::uint64_t first_row_line(const terminal::Screen& screen) {
  return screen.alternate() ? 0 : screen.end_line() - static_cast<std::uint64_t>(screen.size().rows);
}

}  // namespace

bool Selection::handle_key(const terminal::Key& key, const terminal::Screen& screen, base::Size part, int top) {
  if (key.is(KeyKind::up, terminal::kShift)) return extend_by_line(-1, screen);
  if (key.is(KeyKind::down, terminal::kShift)) return extend_by_line(1, screen);
  if (key.kind != KeyKind::mouse || key.mouse.button != 0) return false;
  const bool inside = key.mouse.row < part.rows && key.mouse.col < part.cols;
  const Cell cell{first_row_line(screen) + static_cast<std::uint64_t>(top + std::min(key.mouse.row, part.rows - 1)),
                  std::min(key.mouse.col, part.cols - 1)};
  if (key.mouse.action == MouseAction::press && inside) {
    clear();
    pressed_ = cell;
    return true;
  }
  if (key.mouse.action != MouseAction::release || !pressed_) return false;
  const Cell begun = *std::exchange(pressed_, std::nullopt);
  if (begun == cell) return true;  // A click marks nothing.
  range_ = Range{std::min(begun, cell), std::max(begun, cell), screen.alternate()};
  take(screen);
  return true;
}

/// Begins with the line above the cursor's and grows upwards; down takes lines away again.
bool Selection::extend_by_line(int direction, const terminal::Screen& screen) {
  const std::uint64_t first = screen.alternate() ? 0 : screen.first_line();
  const std::uint64_t cursor = first_row_line(screen) + static_cast<std::uint64_t>(screen.cursor().row);
  if (!range_ || range_->to.col != kWholeLine || range_->alternate != screen.alternate()) {
    if (direction > 0 || cursor == first) return true;
    range_ = Range{{cursor - 1, 0}, {cursor - 1, kWholeLine}, screen.alternate()};
  } else if (direction < 0) {
    if (range_->from.line > first) --range_->from.line;
  } else if (range_->from.line == range_->to.line) {
    clear();
    return true;
  } else {
    ++range_->from.line;
  }
  take(screen);
  return true;
}

void Selection::take(const terminal::Screen& screen) {
  text_.clear();
  for (std::uint64_t line = range_->from.line; line <= range_->to.line; ++line) {
    const auto row = screen.alternate() ? screen.row(static_cast<int>(line)) : screen.line_row(line);
    const int from = line == range_->from.line ? range_->from.col : 0;
    const int to =
        std::min(line == range_->to.line ? range_->to.col : kWholeLine, static_cast<int>(row.cells.size()) - 1);
    std::string text;
    for (int col = from; col <= to; ++col) terminal::append_cell_text(text, row.cells[static_cast<std::size_t>(col)]);
    text.erase(text.find_last_not_of(' ') + 1);
    text_ += text;
    if (line != range_->to.line) text_ += '\n';
  }
}

void Selection::mark(terminal::Frame& frame, const terminal::Screen& screen, base::Size part, int top) const {
  if (!range_ || range_->alternate != screen.alternate()) return;
  const std::uint64_t first = first_row_line(screen) + static_cast<std::uint64_t>(top);
  for (int row = 0; row < part.rows; ++row) {
    const std::uint64_t line = first + static_cast<std::uint64_t>(row);
    if (line < range_->from.line || line > range_->to.line) continue;
    const int from = line == range_->from.line ? range_->from.col : 0;
    const int to = std::min(line == range_->to.line ? range_->to.col : kWholeLine, part.cols - 1);
    for (int col = from; col <= to; ++col) frame.at(row, col).style.attributes ^= terminal::kReverse;
  }
}

}  // namespace app
