#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/cell.h"

namespace terminal {

/// The lines that left the top of the screen, stored compactly: text as UTF-8, looks as runs, trailing blanks not at
/// all. Bounded in lines and in bytes; the oldest go first.
class Scrollback {
 public:
  Scrollback(std::size_t max_lines, std::size_t max_bytes);

  /// Stores the first `used` cells of a row; the rest is known to be empty.
  void push(const Row& row, int used);
  /// Takes the newest line back. Not to be called when empty.
  Row pop();
  void clear();
  /// Lets the numbers go on as if this many lines had come and gone.
  void skip_numbers(std::uint64_t lines);

  /// Lines are numbered from the first ever stored: [first, end).
  std::uint64_t first() const { return first_; }
  std::uint64_t end() const { return end_; }
  bool empty() const { return first_ == end_; }
  Row row(std::uint64_t line) const;
  bool wrapped(std::uint64_t line) const;
  std::size_t max_lines() const { return max_lines_; }
  std::size_t bytes() const { return bytes_; }

 private:
  /// Many lines after one another in one piece of memory: no allocation for each.
  struct Block {
    std::uint64_t first = 0;
    std::string data;
    std::vector<std::uint32_t> starts;
  };

  std::string_view stored(std::uint64_t line) const;
  Block& block_with_room(std::size_t wanted);
  void trim();

  std::size_t max_lines_;
  std::size_t max_bytes_;
  std::deque<Block> blocks_;
  std::uint64_t first_ = 0;
  std::uint64_t end_ = 0;
  std::size_t bytes_ = 0;  ///< Memory held by the blocks.
};

}  // namespace terminal
