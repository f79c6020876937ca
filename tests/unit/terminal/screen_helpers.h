#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "terminal/screen.h"
#include "terminal/screen_dump.h"

namespace terminal {

/// A small screen that is easy to look at.
class TestScreen {
 public:
  explicit TestScreen(base::Size size = {.rows = 4, .cols = 10}, std::size_t scrollback = 100)
      : screen_(Screen::Options{.size = size, .scrollback_lines = scrollback}) {
    screen_.on_reply([this](std::string_view bytes) { replies_ += bytes; });
  }

  TestScreen& feed(std::string_view bytes) {
    screen_.write(bytes);
    return *this;
  }
  Screen& screen() { return screen_; }
  std::string line(int row) const { return row_text(screen_.row(row)); }
  const Cell& cell(int row, int col) const { return screen_.row(row).cells[static_cast<std::size_t>(col)]; }
  std::pair<int, int> at() const { return {screen_.cursor().row, screen_.cursor().col}; }
  std::string lines() const { return dump_text(screen_); }
  std::string take_replies() { return std::exchange(replies_, {}); }
  std::string history() const {
    return screen_.text(screen_.first_line(), screen_.end_line() - static_cast<std::uint64_t>(screen_.size().rows));
  }

 private:
  Screen screen_;
  std::string replies_;
};

}  // namespace terminal
