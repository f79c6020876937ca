#include "panel/fuzzy.h"

#include <algorithm>

#include "base/words.h"

namespace panel {
namespace {

constexpr int kHit = 1;
constexpr int kRun = 4;        ///< Follows the character hit before.
constexpr int kWordStart = 8;  ///< Begins a word: after a separator, or at the beginning.
constexpr int kWhole = 20;     ///< The part stands in the text as it was typed.
constexpr std::size_t kLongestMatched = 512;

bool separates(char byte) {
  return byte == ' ' || byte == '-' || byte == '_' || byte == '.' || byte == '/' || byte == '@' || byte == ':';
}

bool same(char a, char b) {
  return base::lower_case(a) == base::lower_case(b);
}

/// Greedy from one place; good enough for names, and linear.
std::optional<int> score_from(std::string_view part, std::string_view text, std::size_t from) {
  int score = 0;
  std::size_t at = from;
  std::size_t last = std::string_view::npos;
  for (const char wanted : part) {
    while (at < text.size() && !same(text[at], wanted)) ++at;
    if (at == text.size()) return std::nullopt;
    score += kHit;
    if (at == 0 || separates(text[at - 1])) score += kWordStart;
    if (last != std::string_view::npos && at == last + 1) score += kRun;
    last = at++;
  }
  return score;
}

std::optional<int> score_part(std::string_view part, std::string_view text) {
  std::optional<int> best;
  for (std::size_t from = 0; from < text.size(); ++from) {
    if (!same(text[from], part[0])) continue;
    const auto score = score_from(part, text, from);
    if (!score) break;  // further on there is even less to fit
    const bool whole = text.size() - from >= part.size() &&
                       std::equal(part.begin(), part.end(), text.begin() + static_cast<std::ptrdiff_t>(from), same);
    best = std::max(best.value_or(0), *score + (whole ? kWhole : 0));
  }
  return best;
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view pattern, std::string_view text) {
  text = text.substr(0, kLongestMatched);
  int total = 0;
  while (!pattern.empty()) {
    const std::size_t end = std::min(pattern.find(' '), pattern.size());
    const std::string_view part = pattern.substr(0, std::min(end, kLongestMatched));
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
    if (part.empty()) continue;
    const auto score = score_part(part, text);
    if (!score) return std::nullopt;
    total += *score;
  }
  return total;
}

}  // namespace panel
