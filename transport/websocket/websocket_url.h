#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace transport {

/// Where a WebSocket is: `ws://` or `wss://`, taken apart.
struct WebSocketUrl {
  bool secure = true;
  std::string user, password;  ///< From `user:password@`; decoded. Never printed.
  std::string host;            ///< Without brackets, also for IPv6.
  int port = 443;
  std::string path = "/";  ///< With the query, as it goes into the request.

  /// "host", "host:8080" or "[::1]:8080": for the Host header and for sentences.
  std::string authority() const;
};

base::Result<WebSocketUrl> parse_websocket_url(std::string_view text);

/// The address as it may be shown and kept: the same without the password in it. Other texts stay as they are.
std::string without_password(std::string_view address);

/// The way out through a company's HTTP proxy.
struct HttpProxy {
  std::string host;
  int port = 8080;
  std::string credentials;  ///< "user:password", decoded; may be empty.
};

/// What https_proxy, http_proxy, all_proxy and no_proxy say about this host, as curl reads them.
base::Result<std::optional<HttpProxy>> proxy_from_environment(const WebSocketUrl& url);

}  // namespace transport
