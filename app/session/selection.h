#pragma once

#include <optional>
#include <string>

#include "base/size.h"
#include "terminal/frame.h"
#include "terminal/key.h"
#include "terminal/screen.h"

namespace app {

/// Text of the session that the operator marked above the panel: with the mouse from where the button went down to
/// where it came up, or whole lines with Shift+Up and Shift+Down. What is marked is what was there then.
class Selection {
 public:
  /// `top`: the screen's row that stands in the first row of the terminal. True when the key was for it.
  bool handle_key(const terminal::Key& key, const terminal::Screen& screen, base::Size part, int top);
  void clear() { range_.reset(), pressed_.reset(); }

  bool empty() const { return text_.empty() || !range_; }
  const std::string& text() const { return text_; }

  /// Shows in a frame what is marked, as long as the screen still shows it.
  void mark(terminal::Frame& frame, const terminal::Screen& screen, base::Size part, int top) const;

 private:
  /// A cell of the screen, by the number of its line; the alternate screen has row numbers.
  struct Cell {
    std::uint64_t line = 0;
    int col = 0;

    friend auto operator<=>(const Cell&, const Cell&) = default;
  };
  struct Range {
    Cell from;
    Cell to;  ///< The last one marked.
    bool alternate = false;
  };

  bool extend_by_line(int direction, const terminal::Screen& screen);
  void take(const terminal::Screen& screen);

  std::optional<Cell> pressed_;
  std::optional<Range> range_;
  std::string text_;
};

}  // namespace app
