#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace terminal {

/// What one fast look at a piece of terminal output tells about it.
struct PlainText {
  /// Nothing but text, CR, LF, TAB, colours (SGR) and erasing in the line (EL), with CR LF at the end: whatever came
  /// before it, after enough of it the screen holds only its lines.
  bool plain = false;
  bool prints = false;         ///< It holds at least one ASCII character to draw.
  bool colors = false;         ///< It holds SGR.
  std::size_t line_feeds = 0;  ///< Each makes one row at least.
  std::size_t rows = 0;        ///< The same with rows that wrapped at `cols`, never more than there really are.
  int cols = 0;
  std::size_t pen_from = 0;  ///< Where the last SGR begins that starts with a reset; 0 when there is none.
};

/// Looks at a piece that begins between sequences. The numbers only hold when it is plain.
PlainText look_at(std::string_view bytes, int cols);

/// The SGR sequences of a plain piece, one after the other: what it does to the pen.
std::string pen_changes(std::string_view plain);

}  // namespace terminal
