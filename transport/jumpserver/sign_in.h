// The ways to sign in that ask the operator something: user and password over the API (with MFA and login review), and
// the same over the web form, which gives the session that the WebSocket of v3 and v4 wants.
#pragma once

#include <chrono>
#include <string>

#include "transport/jumpserver/core_client.h"
#include "transport/ssh/secret.h"

namespace transport::jumpserver {

/// What a sign-in needed besides the password: whether a second one would ask the operator again.
struct SignInSteps {
  bool second_factor = false;
  bool review = false;
};

/// Gets a bearer token for `user` and keeps it in the client's credentials. Asks for MFA and waits for a reviewer,
/// telling how long.
CoreResult<SignInSteps> sign_in(ConnectionSetup& setup, CoreClient& client, const std::string& user,
                                const Secret& password);

/// Gets a web session in the way of a browser and keeps it in the client's credentials. Fails with code
/// "browser_only" where only a browser gets through: captcha, single sign-on, login review.
CoreResult<SignInSteps> sign_in_to_web(ConnectionSetup& setup, CoreClient& client, const std::string& user,
                                       const Secret& password);

/// Asks which second factor, when there are several, and for its code. The types that a terminal can do only.
struct SecondFactor {
  std::string type;
  Secret code;
};
CoreResult<std::string> choose_factor(ConnectionSetup& setup, const std::string& host,
                                      const std::vector<std::string>& offered);
CoreResult<SecondFactor> ask_code(ConnectionSetup& setup, const std::string& host, const std::string& type,
                                  int attempt);

/// Waits `time` inside the fiber; false when cancelled.
bool pause(ConnectionSetup& setup, std::chrono::milliseconds time);

}  // namespace transport::jumpserver
