#pragma once

#include <cstddef>
#include <string_view>

namespace panel {

/// Where a cursor at the byte offset `at` comes to in a text of clean UTF-8. It stands between whole characters as a
/// reader sees them.
std::size_t character_right(std::string_view text, std::size_t at);
std::size_t character_left(std::string_view text, std::size_t at);
/// Over letters and digits, and what is between words.
std::size_t word_right(std::string_view text, std::size_t at);
std::size_t word_left(std::string_view text, std::size_t at);
/// Over everything that is no space.
std::size_t space_left(std::string_view text, std::size_t at);
std::size_t line_begin(std::string_view text, std::size_t at);
std::size_t line_end(std::string_view text, std::size_t at);

bool is_space(char32_t code);

}  // namespace panel
