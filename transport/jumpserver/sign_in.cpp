#include "transport/jumpserver/sign_in.h"

#include "base/words.h"
#include "transport/jumpserver/web_sign_in.h"

namespace transport::jumpserver {
namespace {

constexpr const char* kTokens = "/api/v1/authentication/tokens/";
constexpr int kMostSteps = 8;

/// One sign-in over the API, which speaks in codes where the pages speak in words and has no captcha. It begins with a
/// visit to the login page: the session planted there is the one that becomes the web session, so that password, code
/// and reviewer are asked for once.
class ApiSignIn {
 public:
  explicit ApiSignIn(SignInTalk& talk) : talk_(talk), client_(talk.client), web_(talk) {}

  CoreResult<SignedIn> run() {
    client_.jar().clear();
    if (auto page = web_.open_page(); !page) {
      if (page.error().kind == CoreError::Kind::cancelled || page.error().kind == CoreError::Kind::unreachable)
        return tl::unexpected(page.error());
      told_.no_web = page.error().message;
    }
    // The code belongs to the password there and is good for one use: the form alone.
    if (told_.no_web.empty() && web_.asks("challenge")) return by_form();
    for (int step = 0; step < kMostSteps; ++step) {
      auto answer = ask_for_token();
      if (!answer) return tl::unexpected(answer.error());
      if (!text_at(answer->json, "token").empty()) return with_token(answer->json);
      // A password that must be changed breaks the API of v4; the page says what is the matter.
      if (answer->head.status == 500 && told_.no_web.empty()) return by_form();
      if (auto done = next(*answer); !done) return tl::unexpected(done.error());
      if (told_.no_web.empty()) return through_guard();
    }
    return refused("", client_.host() + " does not finish the sign-in; try it in the browser");
  }

 private:
  CoreResult<Answer> post(const std::string& path, Json body) {
    return client_.send(talk_.setup, {.method = "POST", .path = path, .body = std::move(body), .anonymous = true});
  }
  CoreResult<Answer> ask_for_token() {
    return post(kTokens, {{"username", talk_.user}, {"password", std::string(talk_.password.view())}});
  }

  void keep(const Json& json) {
    Credentials& credentials = client_.credentials();
    const std::string keyword = text_at(json, "keyword");
    credentials.token = {keyword.empty() ? "Bearer" : keyword, text_at(json, "token")};
    credentials.token_expires = parse_time(text_at(json, "date_expired"));
    credentials.user = talk_.user;
  }

  CoreResult<SignedIn> by_form() {
    if (auto done = web_.submit(false); !done) return tl::unexpected(done.error());
    return told_;
  }

  /// The token is there; the form gives the web session, and its failure costs the WebSocket only.
  CoreResult<SignedIn> with_token(const Json& json) {
    keep(json);
    if (!told_.no_web.empty()) return told_;
    if (auto done = web_.submit(true); !done) {
      if (done.error().kind == CoreError::Kind::cancelled && talk_.setup.fiber().cancelled())
        return tl::unexpected(done.error());
      told_.no_web = done.error().message;
    }
    return told_;
  }

  /// Password, code and reviewer are known under the planted session: the page after the form makes it a web session.
  CoreResult<SignedIn> through_guard() {
    if (auto done = web_.pass_guard(); !done) return tl::unexpected(done.error());
    if (talk_.review) return told_;  // A token would want a reviewer anew; the session opens the API as well.
    const auto answer = ask_for_token();
    if (answer && !text_at(answer->json, "token").empty()) keep(answer->json);
    if (answer && code_of(answer->json).starts_with("login_confirm"))
      client_.send_last(
          talk_.setup,
          {.method = "DELETE", .path = "/api/v1/authentication/login-confirm-ticket/status/", .anonymous = true});
    return told_;
  }

  CoreResult<void> next(const Answer& answer) {
    const std::string code = code_of(answer.json);
    if (code == "mfa_required") return second_factor(at(answer.json, "data"));
    if (code == "login_confirm_wait" || code == "login_confirm_required") return wait_for_reviewer(talk_);
    return tl::unexpected(sign_in_failure(client_, answer));
  }

  CoreResult<void> second_factor(const Json& data) {
    std::vector<std::string> offered;
    for (const auto& choice : at(data, "choices"))
      if (choice.is_string()) offered.push_back(choice.get<std::string>());
    SecondFactor factor(talk_);
    if (auto chosen = factor.choose(offered); !chosen) return chosen;
    std::string url = text_at(data, "url"), why;
    if (!url.starts_with("/")) url = "/api/v1/authentication/mfa/challenge/";
    for (;;) {
      const auto code = factor.code(why);
      if (!code) return tl::unexpected(code.error());
      const auto answer = post(url, {{"type", factor.type()}, {"code", *code}});
      if (!answer) return tl::unexpected(answer.error());
      if (answer->ok() && code_of(answer->json).empty()) return {};
      const CoreError error = sign_in_failure(client_, *answer);
      if (error.code != "mfa_failed" || !factor.may_try_again()) return tl::unexpected(error);
      why = words_of(answer->json);
    }
  }

  SignInTalk& talk_;
  CoreClient& client_;
  WebSignIn web_;
  SignedIn told_;
};

}  // namespace

bool may_ask_again(std::string_view words) {
  for (const char* end : {"has been locked", "inactive", "is expired", "prohibited", "not allowed"})
    if (base::mentions(words, end)) return false;
  return true;
}

CoreError sign_in_failure(const CoreClient& client, Answer answer) {
  // A refused sign-in is no "sign in again".
  if (answer.head.status == 401 || answer.ok()) answer.head.status = 400;
  CoreError error = error_of(answer.head, answer.json, answer.body, client.host());
  error.message = client.without_secrets(std::move(error.message));
  // The try that locks the user comes under the code of a wrong password.
  if (error.code == "password_failed" && !may_ask_again(error.message)) error.code = "block_login";
  if (error.code == "mfa_failed" && !may_ask_again(error.message)) error.code = "block_mfa";
  return error;
}

tl::unexpected<CoreError> not_answered(ConnectionSetup& setup, const std::string& what) {
  const std::string why = setup.fiber().cancelled() || setup.can_ask()
                              ? "the sign-in was given up: " + what + " was not given"
                              : "the sign-in needs " + what + ", and there is no terminal to ask on";
  return tl::unexpected(CoreError{CoreError::Kind::cancelled, 0, "not_answered", why});
}

CoreResult<Secret> SignInHelper::one_time_code(ConnectionSetup& setup, std::string_view) {
  return not_answered(setup, "a one-time code");
}

CoreResult<SignedIn> sign_in(SignInTalk talk) {
  return ApiSignIn(talk).run();
}

CoreResult<void> sign_in_to_web(SignInTalk talk) {
  talk.client.jar().clear();
  WebSignIn web(talk);
  if (auto page = web.open_page(); !page) return page;
  return web.submit(false);
}

}  // namespace transport::jumpserver
