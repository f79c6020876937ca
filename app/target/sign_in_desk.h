// One sign-in to a JumpServer from the first question to the kept credentials: for `jms login`, and for what finds its
// sign-in ended on the way.
#pragma once

#include <optional>
#include <string>

#include "app/target/jumpserver.h"
#include "base/result.h"
#include "transport/jumpserver/sign_in.h"

namespace app {

/// What a sign-in gave.
struct SignInOutcome {
  transport::jumpserver::Credentials credentials;
  std::string name;    ///< The user's full name; may be empty.
  std::string no_web;  ///< Why there is no web session; empty when there is one, or nobody tried.
};

/// Asks, signs in, proves that what was got opens the API, and keeps it. Everything inside a fiber.
class SignInDesk {
 public:
  SignInDesk(transport::ConnectionSetup& setup, JumpServerAccess access) : setup_(setup), access_(std::move(access)) {}

  /// By the way `with` names: password, web, key, token or cookie. `why` stands before the first question. Nothing is
  /// kept unless everything went well.
  transport::jumpserver::CoreResult<SignInOutcome> sign_in(const std::string& with, const std::string& why = {});

 private:
  using Core = transport::jumpserver::CoreClient;
  template <typename T>
  using Result = transport::jumpserver::CoreResult<T>;

  std::optional<transport::Secret> ask(const std::string& text, bool echo, const std::string& instruction = {});
  Result<void> with_key(Core& client);
  Result<void> with_token(Core& client);
  Result<void> with_cookie(Core& client);
  Result<void> with_password(Core& client, const std::string& with);
  Result<void> try_password(Core& client, const std::string& with, const std::string& user,
                            const transport::Secret& password);

  transport::ConnectionSetup& setup_;
  JumpServerAccess access_;
  std::string why_;
  std::string no_web_;
};

/// Signs in again in the way it was done last, where a person or a command can answer; for CoreClient::Settings.
transport::jumpserver::CoreClient::SignInAgain sign_in_again_for(const JumpServerAccess& access);

/// "opens assets over the WebSocket and SSH", or what it opens and why not more.
std::string what_opens(const transport::jumpserver::Credentials& credentials, const std::string& no_web = {});

}  // namespace app
