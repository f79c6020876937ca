#include "panel/messages.h"

#include <array>
#include <cstdlib>

namespace panel {
namespace {

struct Row {
  std::string_view english;
  std::string_view chinese;
};

constexpr Row kTable[] = {
#define MESSAGE(id, english, chinese) {english, chinese},
#include "panel/messages.def"
#undef MESSAGE
};

Language current = Language::english;

bool is_place(std::string_view text, std::size_t at) {
  return at + 2 < text.size() && text[at] == '{' && text[at + 1] >= '0' && text[at + 1] <= '9' && text[at + 2] == '}';
}

}  // namespace

const std::size_t kMessageCount = std::size(kTable);

Language language_of(std::string_view locale) {
  return locale.starts_with("zh") ? Language::chinese : Language::english;
}

Language operators_language(std::string_view configured) {
  if (!configured.empty()) return language_of(configured);
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* value = std::getenv(name); value && *value) return language_of(value);
  return Language::english;
}

void use_language(Language language) {
  current = language;
}

Language language() {
  return current;
}

std::string_view raw_text(Message message, Language language) {
  const Row& row = kTable[static_cast<std::size_t>(message)];
  return language == Language::chinese ? row.chinese : row.english;
}

std::string say(Message message, std::initializer_list<std::string_view> values) {
  const std::string_view pattern = raw_text(message, current);
  std::string result;
  for (std::size_t at = 0; at < pattern.size();) {
    if (!is_place(pattern, at)) {
      result += pattern[at++];
      continue;
    }
    const auto index = static_cast<std::size_t>(pattern[at + 1] - '0');
    if (index < values.size()) result += values.begin()[index];
    at += 3;
  }
  return result;
}

}  // namespace panel
