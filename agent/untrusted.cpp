#include "agent/untrusted.h"

#include <sys/random.h>

#include <array>
#include <cstdio>
#include <random>

namespace agent {
namespace {

constexpr std::string_view kOpen = "<untrusted-";
constexpr std::string_view kClose = "</untrusted-";

}  // namespace

std::string fence(std::string_view text, std::string_view tag) {
  std::string inside(text);
  for (auto at = inside.find(tag); !tag.empty() && at != std::string::npos; at = inside.find(tag, at))
    inside.erase(at, tag.size());
  std::string out;
  out.append(kOpen).append(tag).append(">\n").append(inside);
  if (!out.ends_with('\n')) out += '\n';
  out.append(kClose).append(tag).append(">");
  return out;
}

std::string_view inside_fence(std::string_view text) {
  if (!text.starts_with(kOpen)) return text;
  const auto open_end = text.find(">\n");
  const auto close = text.rfind(kClose);
  if (open_end == std::string_view::npos || close == std::string_view::npos || close < open_end + 2) return text;
  text = text.substr(open_end + 2, close - open_end - 2);
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

std::string random_tag() {
  std::array<unsigned char, 8> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    std::random_device device;
    for (auto& byte : bytes) byte = static_cast<unsigned char>(device());
  }
  std::string out;
  for (const auto byte : bytes) {
    char pair[3];
    std::snprintf(pair, sizeof pair, "%02x", byte);
    out += pair;
  }
  return out;
}

}  // namespace agent
