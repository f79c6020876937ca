#include "transport/ssh/token.h"

#include <pwd.h>

#include <algorithm>
#include <cstdlib>

namespace transport {

base::Result<std::string> expand_tokens(std::string_view text, const Tokens& tokens) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    const char letter = ++i < text.size() ? text[i] : '\0';
    if (letter == '%') {
      result += '%';
      continue;
    }
    const auto found = std::find_if(tokens.begin(), tokens.end(), [&](auto& token) { return token.first == letter; });
    if (found == tokens.end())
      return base::fail("unknown token %" + std::string(letter == '\0' ? 0 : 1, letter) + " in \"" + std::string(text) +
                        "\"");
    result += found->second;
  }
  return result;
}

base::Result<std::string> expand_environment(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t start = text.find("${");
    result += text.substr(0, start);
    if (start == std::string_view::npos) return result;
    const std::size_t end = text.find('}', start);
    if (end == std::string_view::npos) return base::fail("\"${\" without \"}\" in the SSH configuration");
    const std::string name(text.substr(start + 2, end - start - 2));
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return base::fail("the SSH configuration uses ${" + name + "}, which is not set");
    result += value;
    text.remove_prefix(end + 1);
  }
}

std::string expand_home(std::string_view path, std::string_view home) {
  if (path.empty() || path.front() != '~') return std::string(path);
  const std::size_t slash = path.find('/');
  const std::string user(path.substr(1, slash == std::string_view::npos ? slash : slash - 1));
  const std::string_view rest = slash == std::string_view::npos ? std::string_view() : path.substr(slash);
  if (user.empty()) return std::string(home) + std::string(rest);
  const passwd* entry = getpwnam(user.c_str());
  return entry == nullptr ? std::string(path) : entry->pw_dir + std::string(rest);
}

}  // namespace transport
