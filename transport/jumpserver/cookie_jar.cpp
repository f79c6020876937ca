#include "transport/jumpserver/cookie_jar.h"

#include <algorithm>
#include <cctype>

namespace transport::jumpserver {
namespace {

constexpr std::size_t kMostCookies = 64;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool says_gone(std::string_view attributes) {
  std::string lower(attributes);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower.find("max-age=0") != std::string::npos || lower.find("expires=thu, 01 jan 1970") != std::string::npos;
}

}  // namespace

void CookieJar::take(const http::Head& head) {
  for (const auto& [name, value] : head.headers)
    if (name == "set-cookie") take_one(value);
}

void CookieJar::take_one(std::string_view line) {
  const auto end = line.find(';');
  const std::string_view pair = line.substr(0, end);
  const auto equals = pair.find('=');
  if (equals == std::string_view::npos || equals == 0) return;
  const std::string name(trimmed(pair.substr(0, equals)));
  std::string_view value = trimmed(pair.substr(equals + 1));
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
  if (value.empty() || (end != std::string_view::npos && says_gone(line.substr(end)))) {
    cookies_.erase(name);
  } else if (cookies_.size() < kMostCookies || cookies_.contains(name)) {
    cookies_[name] = value;
  }
}

std::string CookieJar::value(const std::string& name) const {
  const auto found = cookies_.find(name);
  return found == cookies_.end() ? std::string() : found->second;
}

std::string CookieJar::prefix() const {
  const std::string told = value("SESSION_COOKIE_NAME_PREFIX");
  return told.empty() ? "jms_" : told;
}

std::string CookieJar::header() const {
  std::string text;
  for (const auto& [name, value] : cookies_) text += (text.empty() ? "" : "; ") + name + "=" + value;
  return text;
}

}  // namespace transport::jumpserver
