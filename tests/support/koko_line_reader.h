#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/screen.h"
#include "tests/support/koko_screen.h"

namespace test_server {

/// What koko takes for the line when Enter comes. It has two readings of it: the *row* of the cursor on its own screen
/// less the prompt, and what was *typed* since the last Enter. The typed one counts only where all of it is printable
/// and it contains the second half of the row; the filter is asked about it then, else about the row.
class KokoLineReader {
 public:
  /// `full_screen` is the terminal as it is, for programs on the alternate screen; it outlives the reader.
  KokoLineReader(int rows, const terminal::Screen& full_screen);

  /// The prompt came back after a line that ran: this goes into the record.
  std::function<void(const std::string& row)> on_ran;

  /// What the host printed. koko's own words are not among it.
  void feed(std::string_view bytes);
  /// A packet of typed bytes. With an Enter among them: what the filter is to be asked about.
  std::optional<std::string> take(const std::string& packet);
  /// The line is dealt with: no prompt brings it into the record any more.
  void forget() {
    row_.clear();
    lines_.clear();
  }
  void forget_row() { row_.clear(); }

  const std::string& row() const { return row_; }
  /// An editor has the screen: nothing typed there is a command.
  bool in_editor() const { return in_editor_; }

 private:
  std::string cursor_row();
  std::string enter(const std::string& packet);
  void watch_modes(std::string_view bytes);
  void feed_piece(std::string_view bytes);
  void find_pasted_lines();

  const terminal::Screen& full_screen_;
  KokoScreen screen_;
  bool begun_ = false, answering_ = false;
  bool alternate_ = false, in_editor_ = false, in_multiplexer_ = false;
  std::string prompt_, typed_;
  std::string row_;                 ///< Awaits the prompt.
  std::vector<std::string> lines_;  ///< Of a paste with several Enters.
  std::string cut_;                 ///< The beginning of a character at the end of a read.
};

/// Whether koko would call it printable; tab and the ends of lines are.
bool koko_printable(std::string_view text);

}  // namespace test_server
