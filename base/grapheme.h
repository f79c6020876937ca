#pragma once

#include <cstddef>
#include <string_view>

namespace base {

/// Where the character that a reader sees as one (a letter with its marks, a flag, a family emoji) ends, when it begins
/// at byte `from` of UTF-8 text. The end of the text when there is nothing there.
std::size_t grapheme_end(std::string_view text, std::size_t from);

/// Where the one that ends at byte `to` begins.
std::size_t grapheme_begin(std::string_view text, std::size_t to);

}  // namespace base
