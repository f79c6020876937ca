#include "transport/ssh/destination.h"

#include <algorithm>

#include "base/words.h"
#include "transport/ssh/config_keywords.h"
#include "transport/ssh/config_words.h"
#include "transport/ssh/pattern.h"

namespace transport {
namespace {

// Names reach ProxyCommand through a shell and the system's ssh through its argv.
constexpr std::string_view kShellWords = "'`\"$\\;&<>|(){}!*?,";

bool is_safe_name(std::string_view name, std::string_view forbidden) {
  if (name.empty() || name.front() == '-') return false;
  return std::none_of(name.begin(), name.end(), [&](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == 0x7f || forbidden.find(c) != std::string_view::npos;
  });
}

/// Splits "host:port"; `port` stays empty when there is none.
bool split_port(std::string_view text, std::string& host, std::string& port) {
  if (!text.empty() && text.front() == '[') {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return false;
    host = text.substr(1, close - 1);
    const std::string_view rest = text.substr(close + 1);
    if (!rest.empty() && rest.front() != ':') return false;
    port = rest.empty() ? "" : rest.substr(1);
    return true;
  }
  const auto colons = std::count(text.begin(), text.end(), ':');
  const std::size_t colon = colons == 1 ? text.find(':') : std::string_view::npos;  // More: a bare IPv6 address.
  host = text.substr(0, colon);
  port = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  return true;
}

}  // namespace

base::Result<Destination> parse_destination(std::string_view text) {
  const auto wrong = [&](std::string_view why) {
    return base::fail("\"" + std::string(text) + "\" is no SSH destination (" + std::string(why) +
                      "); write [user@]host[:port]");
  };
  std::string_view rest = text;
  const bool is_uri = base::lower_case(rest.substr(0, 6)) == "ssh://";
  if (is_uri) rest.remove_prefix(6);
  if (is_uri && !rest.empty() && rest.back() == '/') rest.remove_suffix(1);

  Destination result;
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    result.user = is_uri ? base::percent_decode(rest.substr(0, at)) : std::string(rest.substr(0, at));
    rest.remove_prefix(at + 1);
    if (result.user.empty()) return wrong("the user name is empty");
  }
  std::string port;
  if (!split_port(rest, result.host, port)) return wrong("the brackets do not match");
  if (!port.empty() && (result.port = parse_port(port)) == 0) return wrong("the port is not 1 to 65535");
  if (!is_safe_name(result.host, std::string(kShellWords) + "/@")) return wrong("the host name cannot be right");
  if (!result.user.empty() && !is_safe_name(result.user, "'`\";&<>|(){}"))
    return wrong("the user name holds characters that a shell would act on");
  return result;
}

base::Result<std::vector<Destination>> parse_jump_chain(std::string_view text) {
  std::vector<Destination> hops;
  if (base::lower_case(text) == "none") return hops;
  while (true) {
    const std::size_t comma = text.find(',');
    auto hop = parse_destination(text.substr(0, comma));
    if (!hop) return base::fail(hop.error().while_doing("jump host"));
    hops.push_back(std::move(*hop));
    if (comma == std::string_view::npos) return hops;
    text.remove_prefix(comma + 1);
  }
}

std::string to_text(const Destination& destination) {
  std::string text = destination.user.empty() ? "" : destination.user + "@";
  const bool brackets = destination.host.find(':') != std::string::npos;
  text += brackets ? "[" + destination.host + "]" : destination.host;
  if (destination.port != 0) text += ":" + std::to_string(destination.port);
  return text;
}

}  // namespace transport
