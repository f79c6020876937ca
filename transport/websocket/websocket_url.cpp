#include "transport/websocket/websocket_url.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "base/words.h"

namespace transport {
namespace {

constexpr int kMostPort = 65535;

std::optional<int> parse_port(std::string_view text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port < 1 || port > kMostPort) return std::nullopt;
  return port;
}

/// "host:port", "[v6]:port" or without the port. False when it is none of these.
bool split_authority(std::string_view text, std::string& host, int& port) {
  std::string_view rest;
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == std::string_view::npos) return false;
    host = text.substr(1, close - 1);
    rest = text.substr(close + 1);
  } else {
    const auto colon = text.find(':');
    host = text.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon);
  }
  if (host.empty()) return false;
  if (rest.empty()) return true;
  const auto number = rest.starts_with(':') ? parse_port(rest.substr(1)) : std::nullopt;
  if (number) port = *number;
  return number.has_value();
}

/// A request line or a header ends at these; an address that holds them is not passed on.
bool has_controls(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; });
}

const char* setting(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* value = std::getenv(name); value && *value) return value;
  return nullptr;
}

bool exempt(const std::string& host) {
  const char* list = setting({"no_proxy", "NO_PROXY"});
  if (!list) return false;
  const std::string wanted = base::lower_case(host);
  std::string_view rest = list;
  while (!rest.empty()) {
    const auto end = rest.find_first_of(", ");
    std::string entry = base::lower_case(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (entry == "*") return true;
    if (entry.starts_with('.')) entry.erase(0, 1);
    if (entry.empty()) continue;
    if (wanted == entry || wanted.ends_with("." + entry)) return true;
  }
  return false;
}

}  // namespace

std::string WebSocketUrl::authority() const {
  std::string result = host.find(':') == std::string::npos ? host : "[" + host + "]";
  if (port != (secure ? 443 : 80)) result += ":" + std::to_string(port);
  return result;
}

std::string without_password(std::string_view address) {
  const auto scheme_end = address.find("://");
  const std::string scheme = base::lower_case(address.substr(0, scheme_end));
  if (scheme_end == std::string_view::npos || (scheme != "ws" && scheme != "wss")) return std::string(address);
  const std::size_t login = scheme_end + 3;
  const auto at = address.substr(0, address.find_first_of("/?#", login)).rfind('@');
  const auto colon = address.find(':', login);
  if (at == std::string_view::npos || at < login || colon > at) return std::string(address);
  return std::string(address.substr(0, colon)) + std::string(address.substr(at));
}

base::Result<WebSocketUrl> parse_websocket_url(std::string_view text) {
  WebSocketUrl url;
  const auto scheme_end = text.find("://");
  const std::string scheme = base::lower_case(text.substr(0, scheme_end));
  if (scheme_end == std::string_view::npos || (scheme != "ws" && scheme != "wss"))
    return base::fail("a WebSocket address begins with ws:// or wss://");
  url.secure = scheme == "wss";
  url.port = url.secure ? 443 : 80;

  std::string_view rest = text.substr(scheme_end + 3);
  rest = rest.substr(0, rest.find('#'));
  const auto path = rest.find_first_of("/?");
  std::string_view authority = rest.substr(0, path);
  if (path != std::string_view::npos) url.path = rest.substr(path);
  if (url.path.starts_with('?')) url.path.insert(0, "/");

  // What comes before the @ may be a password: sentences below never repeat it.
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    const std::string_view login = authority.substr(0, at);
    const auto colon = login.find(':');
    url.user = base::percent_decode(login.substr(0, colon));
    if (colon != std::string_view::npos) url.password = base::percent_decode(login.substr(colon + 1));
    authority = authority.substr(at + 1);
  }
  if (!split_authority(authority, url.host, url.port) || has_controls(url.host))
    return base::fail("cannot read the host and port in `" + scheme + "://" + std::string(authority) +
                      "`; write ws://host:port/path");
  if (has_controls(url.path))
    return base::fail("the path of a WebSocket address holds no blanks or control characters");
  return url;
}

base::Result<std::optional<HttpProxy>> proxy_from_environment(const WebSocketUrl& url) {
  // HTTP_PROXY in capitals is left alone, as curl does: a web server could be made to set it.
  const char* chosen = url.secure ? setting({"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"})
                                  : setting({"http_proxy", "all_proxy", "ALL_PROXY"});
  if (!chosen || exempt(url.host)) return std::optional<HttpProxy>();
  std::string_view text = chosen;
  if (const auto scheme = text.find("://"); scheme != std::string_view::npos) {
    if (base::lower_case(text.substr(0, scheme)) != "http")
      return base::fail("the proxy of the environment is not an http:// one; WebSockets can only use such a proxy");
    text = text.substr(scheme + 3);
  }
  HttpProxy proxy;
  if (const auto at = text.rfind('@'); at != std::string_view::npos) {
    proxy.credentials = base::percent_decode(text.substr(0, at));
    text = text.substr(at + 1);
  }
  text = text.substr(0, text.find('/'));
  if (!split_authority(text, proxy.host, proxy.port))
    return base::fail("cannot read the proxy of the environment; write http_proxy=http://host:port");
  return std::optional<HttpProxy>(std::move(proxy));
}

}  // namespace transport
