#pragma once

// That work grows with its input and no faster, told by comparing it with itself: a clock would judge the machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>

namespace support {

using TextWork = std::function<void(const std::string&)>;

/// Processor time for so many bytes of one piece again and again; the better of two rounds.
inline double seconds_for(std::string_view piece, std::size_t bytes, const TextWork& work) {
  std::string text;
  while (text.size() < bytes) text += piece;
  double best = 1e9;
  for (int round = 0; round < 2; ++round) {
    const auto begin = std::clock();
    work(text);
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return best;
}

/// Four times as much takes four times as long; sixteen times would be the square.
inline void expect_linear(std::string_view piece, std::size_t bytes, const TextWork& work) {
  EXPECT_LT(seconds_for(piece, bytes, work), 9 * seconds_for(piece, bytes / 4, work) + 0.05) << piece;
}

}  // namespace support
