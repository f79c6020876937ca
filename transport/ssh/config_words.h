#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace transport {

inline constexpr std::string_view kConfigSpace = " \t\r\n";

/// Takes the first word off `rest` the way ssh_config(5) delimits keywords and Match criteria: by white space or one
/// `=`, with double quotes. Nothing when a quote is not closed.
std::optional<std::string> take_config_word(std::string_view& rest);

/// Splits the arguments of a keyword: quotes of both kinds, backslash escapes, `#` at the start of a word ends the
/// line. Nothing when a quote is not closed.
std::optional<std::vector<std::string>> split_config_words(std::string_view text);

std::string_view trim_left(std::string_view text, std::string_view what);
std::string_view trim_right(std::string_view text, std::string_view what);

}  // namespace transport
