#pragma once

// What every room does with words. Letters are those of ASCII: the same on every machine, whatever its locale.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace base {

constexpr char lower_case(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}
std::string lower_case(std::string_view text);

/// Whether `part` stands in `text`, in capitals or not.
bool mentions(std::string_view text, std::string_view part);

std::string_view trimmed(std::string_view text, std::string_view what = " \t\r\n");

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);

/// Takes one line off the front of `text`; returns it without its ending.
std::string_view take_line(std::string_view& text);

/// What stands between the separators; "" is no part, neither is what follows a last separator.
std::vector<std::string_view> split(std::string_view list, char separator = ',');

/// The words that are not empty, with `between` between them.
std::string joined(const std::vector<std::string>& words, std::string_view between);

/// "%2F" becomes "/".
std::string percent_decode(std::string_view text);

}  // namespace base
