#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace panel {

/// Breaks UTF-8 text into lines of at most `width` cells: at '\n', at spaces, between wide characters, and inside a
/// word only when it is longer than a line.
std::vector<std::string> wrap_text(std::string_view text, int width);

/// The text if it fits into `width` cells, else its beginning with `ellipsis` (one cell wide) after it.
std::string shorten(std::string_view text, int width, std::string_view ellipsis);

}  // namespace panel
