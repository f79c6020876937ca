#pragma once

#include <optional>
#include <string>
#include <vector>

#include "terminal/capabilities.h"
#include "terminal/frame.h"
#include "terminal/tty_writer.h"

namespace terminal {

/// Shows frames on the operator's terminal: knows the last one and says what to write to get to the next.
///
/// It does no I/O. The owner writes what render() returns in one piece, and calls invalidate() whenever anything else
/// was written to the terminal in between. The terminal must be plain (make_plain): no margins, no insert mode.
class Display {
 public:
  explicit Display(const Capabilities& capabilities);
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  /// The bytes from the last frame to this one; empty when nothing differs or the terminal cannot draw at all.
  std::string render(const Frame& next);

  /// The terminal shows something unknown now: the next frame is drawn whole.
  void invalidate();

  /// Rows that moved may be scrolled instead of drawn again. Only for an alternate screen: on the main one the rows
  /// that leave would land in the operator's scrollback.
  void allow_scrolling(bool allowed) { scrolling_ = allowed; }

  const Capabilities& capabilities() const { return capabilities_; }

 private:
  void begin_with_blank(base::Size size);
  void scroll_what_moved(const Frame& next);
  void paint_row(int row, const Row& next);
  void mark_differences();
  /// Where erasing the rest of the row begins; the row's width when that does not pay.
  int tail_to_erase() const;
  /// How many equal blanks an erasure at `col` would cover.
  int blanks_from(int col, int end) const;
  /// Paints the cell at `col`, or the blanks that begin there, and returns the column after it.
  int paint_from(int row, int col, int end);
  std::string finish(const Cursor& cursor);
  void append_cursor_state(std::string& out, const Cursor& cursor);

  const Capabilities capabilities_;
  TtyWriter writer_;
  std::optional<Frame> last_;
  std::optional<bool> cursor_visible_;  ///< As the terminal has it; empty: unknown.
  std::optional<int> cursor_style_;     ///< DECSCUSR
  bool scrolling_ = false;

  // Scratch space for one row, kept to avoid allocating for each.
  std::vector<Cell> before_;
  std::vector<Cell> after_;
  std::vector<char> dirty_;
};

}  // namespace terminal
