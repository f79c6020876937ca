#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace transport::jumpserver {

/// Everything one connection to koko's WebSocket terminal needs. Good for one handshake: the token in it is used up
/// then. All of it is secret and never printed; `host` is what may be shown.
struct KokoTicket {
  std::string url;  ///< "wss://host[:port]/koko/ws/terminal/?token=…&disableautohash=&_=…"
  /// Cookie, Accept-Language and, for v5, Authorization, Date, X-JMS-ORG and X-Koko-Connect-Ticket. No Origin is sent.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string subprotocol = "JMS-KOKO";
  std::string ca_file;   ///< Trusted besides the system's; empty: none.
  std::string token_id;  ///< For the exchange when the connection is lost.
  std::string host;
  std::chrono::minutes idle_limit{30};  ///< After which the site ends a session in which nothing happens.
  std::chrono::hours longest{24};       ///< After which it ends any session.
};

}  // namespace transport::jumpserver
