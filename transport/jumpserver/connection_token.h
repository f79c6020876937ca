#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "transport/jumpserver/asset.h"
#include "transport/jumpserver/core_client.h"
#include "transport/jumpserver/koko_ticket.h"
#include "transport/jumpserver/site_facts.h"

namespace transport::jumpserver {

/// How the terminal is reached once there is a token.
enum class Via { automatic, websocket, ssh };

/// What is to be opened.
struct OpenWish {
  AssetDetail detail;
  bool old = false;  ///< The detail may be up to a minute old.
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

/// A door that has been chosen: by which way, with which protocol and connect method.
struct Door {
  Via via = Via::ssh;
  std::string protocol;
  std::string method;  ///< "web_cli", "ssh_client"
};

/// The door to take, and the one for the case that it does not open.
struct Doors {
  Door first;
  std::optional<Door> other;  ///< Never when the operator has said which way.
  std::string why;            ///< A line for the operator where the choice is not plain.
};

/// A way whose link took long to fail: for the next minutes the other one goes first.
class SlowWay {
 public:
  explicit SlowWay(KeptAnswers& kept) : kept_(kept) {}
  /// It failed after `time`.
  void failed(Via via, std::chrono::steady_clock::duration time);
  /// It opened.
  void opened(Via via);
  bool is(Via via) const;

 private:
  KeptAnswers& kept_;
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

  /// What choose_doors() will want to know of the site, for whoever can ask for it sooner.
  static std::vector<Fact> wanted(const Credentials& credentials, Via via);

  /// The ways that the credential, the site and the protocol allow; the error says what is missing.
  CoreResult<Doors> choose_doors(ConnectionSetup& setup, const OpenWish& wish);

  /// A token and the place where it counts. A fresh one, or, where `old_id` names one that was used or has expired, a
  /// copy of that, for a new connection to the same thing. Asks the operator before it asks a reviewer, and waits for
  /// the reviewer's word.
  CoreResult<Pass> pass(ConnectionSetup& setup, const OpenWish& wish, const Door& door, const std::string& old_id,
                        TypedAccount& typed);

  /// For the WebSocket; with a connect ticket where there is no web session and koko gives tickets.
  KokoTicket koko_ticket(ConnectionSetup& setup, const Pass& pass);

 private:
  Doors quicker_first(Doors doors) const;
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

/// Whether asking anew could help: core refused something that an answer of a minute or a day ago may have got wrong. A
/// rule, a reviewer and a missing right do not change by asking.
bool could_come_from_age(const CoreError& error);

}  // namespace transport::jumpserver
