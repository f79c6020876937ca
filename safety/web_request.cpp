#include "safety/web_request.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace safety {
namespace {

constexpr std::size_t kMostQuery = 64;
constexpr std::size_t kMostPath = 128;
constexpr std::size_t kMostHost = 80;

struct Address {
  std::string_view host;  ///< Without user and port; "[::1]" with its brackets.
  std::string_view user;
  std::string_view path;
  std::string_view query;
};

Address split(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != url.npos) url.remove_prefix(scheme + 3);
  Address address;
  const auto end = std::min(url.find_first_of("/?#"), url.size());
  std::string_view authority = url.substr(0, end);
  const std::string_view rest = url.substr(end);
  const auto query = std::min(rest.find('?'), rest.size());
  address.path = rest.substr(0, query);
  address.query = rest.substr(query);
  if (const auto at = authority.rfind('@'); at != authority.npos) {
    address.user = authority.substr(0, at);
    authority.remove_prefix(at + 1);
  }
  const auto bracket = authority.starts_with('[') ? authority.find(']') : authority.npos;
  address.host =
      bracket != authority.npos ? authority.substr(0, bracket + 1) : authority.substr(0, authority.find(':'));
  return address;
}

/// The four numbers of "10.0.0.5"; nothing for the other notations, in which the same digits mean something else.
std::optional<std::array<int, 4>> dotted(std::string_view host) {
  std::array<int, 4> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto end = i + 1 < parts.size() ? host.find('.') : host.size();
    if (end == host.npos || end == 0 || end > 3 || (end > 1 && host.front() == '0')) return std::nullopt;
    const auto [stop, error] = std::from_chars(host.data(), host.data() + end, parts[i]);
    if (error != std::errc() || stop != host.data() + end || parts[i] > 255) return std::nullopt;
    host.remove_prefix(std::min(end + 1, host.size()));
  }
  return parts;
}

bool is_private(const std::array<int, 4>& part) {
  return part[0] == 127 || part[0] == 10 || (part[0] == 192 && part[1] == 168) ||
         (part[0] == 172 && part[1] >= 16 && part[1] <= 31);
}

bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

bool stays_inside(std::string_view url) {
  const std::string_view host = split(url).host;
  if (host == "[::1]") return true;
  if (const auto parts = dotted(host)) return is_private(*parts);
  // A digit first is another notation of a number; signs are globs of curl or tricks with its reading of addresses.
  const bool plain = std::all_of(host.begin(), host.end(), [](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
  if (!plain || host.empty() || !letter(host.front())) return false;
  if (host.find('.') == host.npos) return true;
  for (const std::string_view suffix : {".local", ".localhost", ".internal", ".lan", ".svc", ".home.arpa"})
    if (host.ends_with(suffix)) return true;
  return false;
}

bool carries_much(std::string_view url) {
  const Address address = split(url);
  return address.query.size() > kMostQuery || address.path.size() > kMostPath || address.host.size() > kMostHost ||
         long_value(address.user);
}

}  // namespace safety
