// JumpServer's core: the REST API under /api/v1/ and the login pages under /core/. Everything here is called from
// inside a fiber and reads from top to bottom; cancelling the fiber ends the request under way.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "http/client.h"
#include "transport/jumpserver/cookie_jar.h"
#include "transport/jumpserver/core_error.h"
#include "transport/jumpserver/credentials.h"
#include "transport/jumpserver/json.h"
#include "transport/ssh/connection_setup.h"

namespace transport::jumpserver {

/// One request to core.
struct Call {
  std::string method = "GET";
  std::string path;        ///< With the query, as it is sent (and signed): "/api/v1/users/profile/".
  Json body;               ///< Null: none.
  std::string form;        ///< Instead of `body`: application/x-www-form-urlencoded.
  bool anonymous = false;  ///< Sends only the cookies of the sign-in under way.
};

/// What came back, whatever its status.
struct Answer {
  http::Head head;
  std::string body;
  Json json;  ///< Discarded when the body is none.

  bool ok() const { return head.status >= 200 && head.status < 300; }
};

/// Talks to one server with one user's credentials, the best of those there are.
class CoreClient {
 public:
  /// Signs in again when nothing is accepted any more: gives fresh credentials, or why there are none. Called inside
  /// the fiber of the request that was refused with `why`.
  using SignInAgain =
      std::function<CoreResult<Credentials>(ConnectionSetup& setup, const Credentials& old, const CoreError& why)>;

  struct Settings {
    Credentials credentials;
    std::string ca_file;
    std::chrono::milliseconds limit{30'000};  ///< For one request.
    std::string login = "jms login";          ///< What the operator types to sign in here.
    SignInAgain sign_in_again;                ///< Empty: a sign-in that has ended is told, and that is all.
  };

  CoreClient(event::EventLoop& loop, Settings settings);

  /// Fails only when there is no answer at all.
  CoreResult<Answer> send(ConnectionSetup& setup, const Call& call);
  /// The body of a 2xx answer, which must be JSON (or empty); everything else is an error.
  CoreResult<Json> ask(ConnectionSetup& setup, const Call& call);
  /// The same for "/api/v1/" + `path`.
  CoreResult<Json> get(ConnectionSetup& setup, const std::string& path);
  CoreResult<Json> post(ConnectionSetup& setup, const std::string& path, Json body);
  /// Several that do not wait for each other, under way at the same time; an answer for each, in their order.
  std::vector<CoreResult<Json>> together(ConnectionSetup& setup, const std::vector<Call>& calls);
  /// Sends it without waiting for the answer: also when the fiber is cancelled.
  void send_last(ConnectionSetup& setup, const Call& call);

  /// The user whose credentials these are, or why they are not accepted.
  CoreResult<Json> who_am_i(ConnectionSetup& setup) { return get(setup, "users/profile/"); }

  const Credentials& credentials() const { return settings_.credentials; }
  Credentials& credentials() { return settings_.credentials; }
  /// Other credentials for the same server, from the next request on.
  void use(Credentials credentials);
  /// Signs in again, for `why`, and uses what that gives; once for each thing that is asked. For a refusal that is no
  /// answer of core's: koko's redirect to the login page.
  CoreResult<void> sign_in_again(ConnectionSetup& setup, const CoreError& why);
  const std::string& ca_file() const { return settings_.ca_file; }
  /// Cookies of a sign-in under way.
  CookieJar& jar() { return jar_; }
  const std::string& host() const { return host_; }
  event::EventLoop& loop() { return loop_; }

  /// Authorization, Date and X-JMS-ORG for a request that somebody else sends (koko replays them on `target`).
  http::Headers authorization(const std::string& method, const std::string& target, bool sign_accept) const;
  /// Never shown, whoever quotes them.
  std::string without_secrets(std::string text) const;

 private:
  enum class Way { access_key, token, session };

  void plan_ways();
  CoreError refusal_of(const Answer& answer) const;
  bool waited_for_turn(ConnectionSetup& setup, const http::Head& head) const;
  CoreResult<Answer> exchange(ConnectionSetup& setup, const http::Request& request);
  CoreResult<http::Request> request_for(ConnectionSetup& setup, const Call& call);
  CoreResult<void> fetch_csrf(ConnectionSetup& setup);

  event::EventLoop& loop_;
  Settings settings_;
  std::string host_;
  std::vector<Way> ways_;  ///< Best first; one that is refused is dropped.
  int sign_ins_ = 0;       ///< How often the credentials were replaced.
  bool signing_in_ = false;
  CookieJar jar_;
  http::Client http_;
};

/// Where koko gives tickets for its WebSocket (v5).
inline constexpr const char* kConnectTicketPath = "/koko/api/connect-ticket/";

/// "a b&c" as a query or form value.
std::string url_encoded(std::string_view text);

/// "name=value&…"
std::string form_text(const std::vector<std::pair<std::string, std::string>>& fields);

}  // namespace transport::jumpserver
