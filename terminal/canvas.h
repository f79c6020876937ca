#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/size.h"
#include "terminal/grid.h"
#include "terminal/scrollback.h"

namespace terminal {

/// libvterm's state layer drawing into our grids: where characters go, when lines wrap and what scrolls.
///
/// It trusts its bytes, so only InputGuard may feed it. Looks and characters are not libvterm's business here: each
/// non-ASCII character in the bytes is a stand-in of the same width for the next of `glyphs`, and the pen is ours.
class Canvas {
 public:
  static constexpr std::string_view kNarrowStandIn = "\xC3\xA9";    // é
  static constexpr std::string_view kWideStandIn = "\xE4\xB8\x80";  // 一

  Canvas(base::Size size, std::size_t scrollback_lines, std::size_t scrollback_bytes);
  ~Canvas();

  void feed(std::string_view bytes, const std::vector<char32_t>& glyphs);
  void feed(std::string_view bytes) { feed(bytes, {}); }

  /// Where the next character goes; the last column while a wrap is pending.
  Position position() const;
  /// The last character filled its row and the next one goes to the row below.
  bool wrap_pending() const { return pending_; }
  /// To be told after a cursor movement that stays in place, which libvterm does not report.
  void forget_pending_wrap() {
    pending_ = false;
    at_.col = std::min(at_.col, size().cols - 1);
  }

  const Style& pen() const { return pen_; }
  void set_pen(const Style& pen) { pen_ = pen; }
  /// The look of erased cells: of the pen only the background colour.
  Style blank() const { return Style{.foreground = {}, .background = pen_.background, .attributes = 0}; }

  base::Size size() const { return main_.size(); }
  Grid& grid() { return *active_; }
  const Grid& grid() const { return *active_; }
  const Grid& main() const { return main_; }
  Scrollback& scrollback() { return scrollback_; }
  const Scrollback& scrollback() const { return scrollback_; }

  bool alternate() const { return active_ == &alternate_; }
  void show_alternate(bool on) {
    active_ = on ? &alternate_ : &main_;
    glyph_known_ = false;
  }

  /// Prints ASCII text with CR, LF and tabs at every eighth column without libvterm: the same outcome on a screen
  /// without margins, several times faster. Takes and gives the cursor and whether a wrap is pending.
  void print_plain(std::string_view text, Position& at, bool& pending);

  /// Puts a character without libvterm; the caller moves the cursor.
  void put(Position at, char32_t code, int width);
  /// Adds a mark to the last character, if the cursor still stands behind it.
  void add_mark(Position cursor, char32_t mark);
  /// While off, lines that leave at the top are deleted lines, not history.
  void keep_history(bool on) { keep_history_ = on; }
  void set_wraps(bool on) { wraps_ = on; }

  /// Lays out anew. The cursor's place in the active grid and, while the alternate one is shown, in the main one are
  /// updated to where their lines went.
  void resize(base::Size size, Position& cursor, Position& main_cursor);

  std::uint64_t changes() const { return changes_; }
  void changed() { ++changes_; }

 private:
  struct Callbacks;
  struct Vterm;

  void scrolled(const Area& area, int down, int right);
  void print_row_part(std::string_view text, Position& at, bool& pending);
  void feed_line(Position& at);
  void note_wrap(Position at, int width);
  int resize_grid(Grid& grid, base::Size size, int cursor_row, bool history);

  Grid main_;
  Grid alternate_;
  Grid* active_ = &main_;
  Scrollback scrollback_;
  std::unique_ptr<Vterm> vterm_;
  Style pen_;
  const char32_t* next_glyph_ = nullptr;
  const char32_t* end_glyph_ = nullptr;
  Position at_;          ///< libvterm's cursor as its callbacks tell it.
  Position last_glyph_;  ///< Where the last character went, for marks.
  int last_width_ = 1;
  bool glyph_known_ = false;
  bool pending_ = false;
  bool scrolled_ = false;  ///< Something scrolled since the last character.
  bool keep_history_ = true;
  bool wraps_ = true;  ///< DECAWM as libvterm has it.
  std::uint64_t changes_ = 0;
};

}  // namespace terminal
