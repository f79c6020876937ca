// Signing in with user and password, as far as a server lets a program do it: over the API, over the web form, with
// second factors, captchas and reviewers. Everything is called from inside a fiber.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transport/jumpserver/core_client.h"
#include "transport/ssh/secret.h"

namespace transport::jumpserver {

/// Whoever helps where the operator's keyboard is not the best answer. The default helps with nothing.
class SignInHelper {
 public:
  virtual ~SignInHelper() = default;

  /// Whether one_time_code() gives codes.
  virtual bool has_one_time_codes() const { return false; }
  /// A one-time code other than `used`, which the server has seen already.
  virtual CoreResult<Secret> one_time_code(ConnectionSetup& setup, std::string_view used);
  /// Puts a picture on the operator's terminal; false where it cannot show one.
  virtual bool show_picture(ConnectionSetup&, std::string_view) { return false; }
};

/// Who signs in where, and what it took so far.
struct SignInTalk {
  ConnectionSetup& setup;
  CoreClient& client;
  const std::string& user;
  const Secret& password;
  SignInHelper& helper;
  bool review = false;  ///< A reviewer was asked: a second sign-in would ask again.
};

/// Gets what opens most with one sign-in: a bearer token, and a web session wherever the server gives one. Both stand
/// in the client's credentials then. `no_web` says why there is no web session.
struct SignedIn {
  std::string no_web;
};
CoreResult<SignedIn> sign_in(SignInTalk talk);

/// Gets a web session in the way of a browser: the login page and what follows. Fails with code "browser_only" where
/// only a browser gets through.
CoreResult<void> sign_in_to_web(SignInTalk talk);

/// The sign-in cannot go on: nobody answered, or nobody is there to be asked. `what` is what was wanted.
tl::unexpected<CoreError> not_answered(ConnectionSetup& setup, const std::string& what);

/// Whether the server's words about a refused password or code leave another try: a locked or forbidden user has none.
bool may_ask_again(std::string_view words);

/// What a refused sign-in means, in the server's words. No such error reads "sign in again".
CoreError sign_in_failure(const CoreClient& client, Answer answer);

/// Which second factor, and its codes. The types that a terminal can do only.
class SecondFactor {
 public:
  explicit SecondFactor(SignInTalk& talk) : talk_(talk) {}

  /// Asks which one when there are several, and has the server send its code.
  CoreResult<void> choose(const std::vector<std::string>& offered);
  const std::string& type() const { return type_; }
  /// The next code to try; `why` are the server's words about the last one.
  CoreResult<std::string> code(const std::string& why);
  /// Whether another code may be tried after a refusal: each one counts towards the lock.
  bool may_try_again() const;

 private:
  CoreResult<void> have_it_sent();

  SignInTalk& talk_;
  std::string type_;
  std::string last_;
  int attempts_ = 0;
};

/// Waits until a reviewer lets the user in, telling how long. The request is withdrawn whenever the wait ends
/// otherwise.
CoreResult<void> wait_for_reviewer(SignInTalk& talk);

/// Waits `time` inside the fiber; false when cancelled.
bool pause(ConnectionSetup& setup, std::chrono::milliseconds time);

}  // namespace transport::jumpserver
