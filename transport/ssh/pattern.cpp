#include "transport/ssh/pattern.h"

#include <cstddef>

#include "base/words.h"

namespace transport {
namespace {

constexpr std::size_t kLongestPattern = 1023;  // What OpenSSH takes; a longer one matches nothing.

}  // namespace

bool matches_pattern(std::string_view text, std::string_view pattern) {
  // Only the last star needs to be retried: what an earlier one took can always be given to the later one.
  std::size_t t = 0, p = 0;
  std::size_t star = std::string_view::npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

ListVerdict match_pattern_list(std::string_view text, std::string_view patterns, PatternCase pattern_case) {
  bool found = false;
  while (!patterns.empty()) {
    const bool negated = patterns.front() == '!';
    if (negated) patterns.remove_prefix(1);
    const std::size_t comma = patterns.find(',');
    const std::string_view one = patterns.substr(0, comma);
    patterns = comma == std::string_view::npos ? std::string_view() : patterns.substr(comma + 1);
    if (one.size() >= kLongestPattern) return ListVerdict::no_match;
    if (!matches_pattern(text, pattern_case == PatternCase::lower ? base::lower_case(one) : std::string(one))) continue;
    if (negated) return ListVerdict::negated;
    found = true;
  }
  return found ? ListVerdict::match : ListVerdict::no_match;
}

}  // namespace transport
