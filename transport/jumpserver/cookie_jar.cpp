#include "transport/jumpserver/cookie_jar.h"

#include <algorithm>

#include "base/words.h"

namespace transport::jumpserver {
namespace {

constexpr std::size_t kMostCookies = 64;

bool says_gone(std::string_view attributes) {
  return base::mentions(attributes, "max-age=0") || base::mentions(attributes, "expires=thu, 01 jan 1970");
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
  const std::string name(base::trimmed(pair.substr(0, equals)));
  std::string_view value = base::trimmed(pair.substr(equals + 1));
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
