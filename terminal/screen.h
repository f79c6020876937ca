#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/size.h"
#include "terminal/cell.h"
#include "terminal/modes.h"

namespace terminal {

/// The model of the session's screen: what the remote's bytes made of it, with scrollback.
///
/// Passive and silent: fed bytes in any pieces, any bytes; it writes nothing anywhere except answers to queries through
/// on_reply. libvterm stands behind InputGuard here and nowhere else.
class Screen {
 public:
  struct Options {
    base::Size size;
    std::size_t scrollback_lines = 10'000;
    std::size_t scrollback_bytes = 8 * 1024 * 1024;
  };

  explicit Screen(const Options& options);
  ~Screen();

  void write(std::string_view bytes);
  /// Takes 1 to 1000 rows and 2 to 1000 columns; other sizes are clamped. As in xterm, columns that no longer fit are
  /// cut and not wrapped anew; of a lower screen the rows below the cursor go first, then rows from the top move into
  /// the scrollback, and a higher screen takes them back from there. Margins are reset.
  void resize(base::Size size);

  /// Answers to the remote's queries (DA, DSR, CPR, DECRQM…). Without a receiver they are dropped.
  void on_reply(std::function<void(std::string_view)> receiver);

  base::Size size() const;
  const Row& row(int index) const;
  const Cursor& cursor() const;
  bool alternate() const;
  /// The last column was just written: the cursor stands on it and the next character goes to the next row.
  bool wrap_pending() const;
  const std::string& title() const;
  const Modes& modes() const;

  /// True when no escape sequence and no character is half way in: the moment a panel may open or close.
  bool between_sequences() const;

  /// Grows with every visible change: keep it, compare it later.
  std::uint64_t change_count() const;

  /// Lines are numbered from the first that ever entered: [first_line, end_line) is what is still there, the last
  /// size().rows of them being the main screen. While the alternate screen is on, these are still the main screen's.
  std::uint64_t first_line() const;
  std::uint64_t end_line() const;
  /// Lines [from, to) as text, soft-wrapped rows joined, trailing blanks removed, '\n' after each line.
  std::string text(std::uint64_t from, std::uint64_t to) const;
  /// The logical line the cursor is on, soft-wrapped rows joined.
  std::string line_at_cursor() const;
  /// One line of the scrollback or of the main screen with its cells, for drawing.
  Row line_row(std::uint64_t line) const;

  /// True when a text-only flood scrolls this screen in the plain way: no margins, no half-way sequence. Backlog may
  /// then skip lines that would leave the scrollback anyway.
  bool scrolls_plainly() const;
  std::size_t scrollback_limit() const;
  /// Counts lines that Backlog left out: numbers go on as if they had passed.
  void skip_lines(std::uint64_t lines);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace terminal
