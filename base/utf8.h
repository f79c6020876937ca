#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace base {

/// One decoded character and how many bytes it took. Bad bytes give U+FFFD, one byte at a time.
struct Utf8Char {
  char32_t code = 0;
  std::size_t bytes = 0;
};

/// Decodes the character that `text` (not empty) begins with. Never reads past the end; rejects overlong forms,
/// surrogates and values above U+10FFFF.
Utf8Char decode_utf8(std::string_view text);

/// How many bytes at the end of `text` are the beginning of a valid character that is not complete yet (0 to 3).
std::size_t incomplete_utf8_tail(std::string_view text);

void append_utf8(std::string& out, char32_t code);

/// Cells a character takes on a terminal: 0 for combining marks and controls, 2 for wide ones, else 1.
int char_width(char32_t code);

/// Cells of a whole UTF-8 text.
int text_width(std::string_view text);

/// The longest part from the front that is at most `bytes` long and does not cut a character.
std::string_view cut_utf8(std::string_view text, std::size_t bytes);

}  // namespace base
