#include "transport/ssh/config_words.h"

#include <cstddef>

namespace transport {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// Copies one word from text[at] on, without its quotes and escapes. False when a quote stays open.
bool copy_word(std::string_view text, std::size_t& at, std::string& word) {
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (c == '\\' && (next == '\'' || next == '"' || next == '\\' || (quote == 0 && next == ' '))) {
      word += next;
      ++at;
    } else if (c == '\\') {
      word += c;
    } else if (quote == 0 && is_blank(c)) {
      break;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else {
      word += c;
    }
  }
  return quote == 0;
}

}  // namespace

std::string_view trim_left(std::string_view text, std::string_view what) {
  const std::size_t start = text.find_first_not_of(what);
  return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

std::string_view trim_right(std::string_view text, std::string_view what) {
  return text.substr(0, text.find_last_not_of(what) + 1);
}

std::optional<std::string> take_config_word(std::string_view& rest) {
  const std::size_t end = rest.find_first_of(" \t\r\n\"=");
  if (end == std::string_view::npos) {
    const std::string word(rest);
    rest = {};
    return word;
  }
  std::string word(rest.substr(0, end));
  const char delimiter = rest[end];
  rest.remove_prefix(end + 1);
  if (delimiter == '"') {
    const std::size_t close = rest.find('"');
    if (close == std::string_view::npos) return std::nullopt;
    word += rest.substr(0, close);
    rest = trim_left(rest.substr(close + 1), kConfigSpace);
    return word;
  }
  rest = trim_left(rest, kConfigSpace);
  // Only one `=` belongs to the delimiter.
  if (delimiter != '=' && !rest.empty() && rest.front() == '=') rest = trim_left(rest.substr(1), kConfigSpace);
  return word;
}

std::optional<std::vector<std::string>> split_config_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_blank(text[at])) continue;
    if (text[at] == '#') break;
    words.emplace_back();
    if (!copy_word(text, at, words.back())) return std::nullopt;
  }
  return words;
}

}  // namespace transport
