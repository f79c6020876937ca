#pragma once

#include <algorithm>
#include <string_view>

namespace shell {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_name_start(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
inline bool is_name_char(char c) {
  return is_name_start(c) || is_digit(c);
}
/// Whether `text` could be a variable's name.
inline bool is_name(std::string_view text) {
  return !text.empty() && is_name_start(text[0]) && std::all_of(text.begin(), text.end(), is_name_char);
}

}  // namespace shell
