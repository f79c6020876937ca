#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace panel {

/// Bytes [begin, end) of a text.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Where one line (without '\n') is broken so that each part takes at most `width` cells: at spaces, between wide
/// characters, and inside a word only when it is longer than a line. The spaces at a break belong to no part.
std::vector<ByteRange> wrap_ranges(std::string_view line, int width);

/// Breaks UTF-8 text into lines of at most `width` cells, also at '\n'.
std::vector<std::string> wrap_text(std::string_view text, int width);

/// The text if it fits into `width` cells, else its beginning with `ellipsis` (one cell wide) after it.
std::string shorten(std::string_view text, int width, std::string_view ellipsis);

}  // namespace panel
