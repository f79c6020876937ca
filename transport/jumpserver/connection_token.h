#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transport/jumpserver/core_client.h"
#include "transport/jumpserver/doors.h"
#include "transport/jumpserver/koko_ticket.h"
#include "transport/jumpserver/site_facts.h"

namespace transport::jumpserver {

/// The one-use key to a terminal. `value` is a password.
struct ConnectionToken {
  std::string id, value;
  std::string protocol;
  bool active = true;
  bool reviewed = false;               ///< A reviewer let it through; another one would ask again.
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

/// Name and password of an account that has none of its own: asked once, wanted again for another door.
struct TypedAccount {
  bool asked = false;
  std::string user;
  Secret secret;
};

/// What opens a terminal, and where.
struct Pass {
  ConnectionToken token;
  Endpoint endpoint;
};

/// Makes connection tokens and finds where to use them. Called from inside a fiber.
class TokenDesk {
 public:
  TokenDesk(CoreClient& client, SiteFacts& facts) : client_(client), facts_(facts) {}

  /// A token and the place where it counts. A fresh one, or, where `old_id` names one that was used or has expired, a
  /// copy of that, for a new connection to the same thing. Asks the operator before it asks a reviewer, and waits for
  /// the reviewer's word.
  CoreResult<Pass> pass(ConnectionSetup& setup, const OpenWish& wish, const Door& door, const std::string& old_id,
                        TypedAccount& typed);

  /// For the WebSocket; with a connect ticket where there is no web session and koko gives tickets.
  KokoTicket koko_ticket(ConnectionSetup& setup, const Pass& pass);

 private:
  CoreResult<Json> request_body(ConnectionSetup& setup, const OpenWish& wish, const Door& door, TypedAccount& typed);
  CoreResult<Pass> issue(ConnectionSetup& setup, const OpenWish& wish, const Door& door, const std::string& path,
                         const Json& body);
  CoreResult<ConnectionToken> settled(ConnectionSetup& setup, const OpenWish& wish, const std::string& path,
                                      const Json& body, CoreResult<Json> answer);
  CoreResult<Json> with_review(ConnectionSetup& setup, const OpenWish& wish, const std::string& path, const Json& body,
                               const CoreError& why);
  CoreResult<void> wait_for_review(ConnectionSetup& setup, const ConnectionToken& token);
  CoreResult<void> withdraw(ConnectionSetup& setup, const ConnectionToken& token);
  Call endpoint_call(const Door& door, const std::string& asset_id) const;
  CoreResult<Endpoint> endpoint_from(const Door& door, const CoreResult<Json>& json) const;
  void add_limits(ConnectionSetup& setup, KokoTicket& ticket);
  void add_connect_ticket(ConnectionSetup& setup, KokoTicket& ticket);
  bool has_session() const { return !client_.credentials().web.id.empty(); }

  CoreClient& client_;
  SiteFacts& facts_;
};

}  // namespace transport::jumpserver
