#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transport/jumpserver/asset.h"
#include "transport/jumpserver/core_client.h"
#include "transport/jumpserver/koko_ticket.h"

namespace transport::jumpserver {

/// How the terminal is reached once there is a token.
enum class Via { automatic, websocket, ssh };

/// What is to be opened.
struct OpenWish {
  AssetDetail detail;
  Account account;
  std::string protocol;  ///< Empty: the best permitted one.
  Via via = Via::automatic;
  bool may_wait_for_review = true;  ///< Somebody is there to be asked.
};

/// The one-use key to a terminal. `value` is a password.
struct ConnectionToken {
  std::string id, value;
  std::string protocol;
  bool active = true;
  std::string ticket_path;             ///< To look whether reviewers agreed; only when not active.
  std::string close_path;              ///< To withdraw the request.
  std::vector<std::string> reviewers;  ///< "Bob(bob)"
};

/// Where the terminal servers are.
struct Endpoint {
  std::string host;
  int https_port = 0, http_port = 0;  ///< 0: as the web address has it.
  int ssh_port = 0;
};

/// A door that has been chosen: by which way, with which protocol and connect method.
struct Door {
  Via via = Via::ssh;
  std::string protocol;
  std::string method;  ///< "web_cli", "ssh_client"
};

/// Makes connection tokens and finds where to use them. Called from inside a fiber.
class TokenDesk {
 public:
  explicit TokenDesk(CoreClient& client) : client_(client) {}

  /// The way that the credential, the site and the protocol allow; the error says what is missing.
  CoreResult<Door> choose_door(ConnectionSetup& setup, const OpenWish& wish);

  /// A fresh token; asks the operator before it asks a reviewer, and waits for the reviewer's word.
  CoreResult<ConnectionToken> create(ConnectionSetup& setup, const OpenWish& wish, const Door& door);
  /// A fresh copy of a token that was used or has expired: for a new connection to the same thing.
  CoreResult<ConnectionToken> exchange(ConnectionSetup& setup, const OpenWish& wish, const Door& door,
                                       const std::string& old_id);

  CoreResult<Endpoint> endpoint(ConnectionSetup& setup, const Door& door, const std::string& asset_id);

  KokoTicket koko_ticket(const ConnectionToken& token, const Endpoint& endpoint) const;
  /// What the site says about how long sessions may last; its defaults where it says nothing.
  void add_limits(ConnectionSetup& setup, KokoTicket& ticket);

 private:
  CoreResult<Json> request_body(ConnectionSetup& setup, const OpenWish& wish, const Door& door);
  CoreResult<ConnectionToken> issue(ConnectionSetup& setup, const OpenWish& wish, const std::string& path, Json body);
  CoreResult<ConnectionToken> with_review(ConnectionSetup& setup, const OpenWish& wish, const std::string& path,
                                          Json body);
  CoreResult<void> wait_for_review(ConnectionSetup& setup, const ConnectionToken& token);
  CoreResult<void> withdraw(ConnectionSetup& setup, const ConnectionToken& token);
  bool can_websocket() const;

  CoreClient& client_;
};

}  // namespace transport::jumpserver
