#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "panel/panel.h"

namespace panel {

/// The panel as lines, one after the other: for screen readers, and for terminals on which nothing can be drawn.
///
/// What was printed is never changed again, so an answer is printed line by line as it becomes complete, and a call
/// when it begins and when it ends.
class PlainView {
 public:
  /// What is new since the last call; whole lines, each with its '\n'.
  std::string update(const Panel& panel);
  /// What to write so that the line being typed shows as it is now, after `prompt`. Begins anew after update() printed.
  std::string echo(const std::string& text, const std::string& prompt);
  /// Something else was printed: the line is written whole next time.
  void forget_line() { line_shown_ = false; }

 private:
  std::uint64_t next_ = 0;   ///< The first block that is not printed to its end.
  std::size_t printed_ = 0;  ///< … and how much of it is.
  std::uint64_t announced_ = 0;
  std::string line_;
  std::string prompt_;
  bool line_shown_ = false;
};

}  // namespace panel
