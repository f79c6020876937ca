#pragma once

#include <string>
#include <string_view>

namespace transport {

/// `*` and `?` as OpenSSH matches them: case-sensitive, and in time that does not explode with many stars.
bool matches_pattern(std::string_view text, std::string_view pattern);

/// What a comma list such as "*.lab,!bad.lab" says about a name.
enum class ListVerdict { no_match, match, negated };
enum class PatternCase { keep, lower };

/// A negated pattern that matches wins over everything else in the list.
ListVerdict match_pattern_list(std::string_view text, std::string_view patterns, PatternCase pattern_case);

}  // namespace transport
