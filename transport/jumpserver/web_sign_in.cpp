#include <string>
#include <vector>

#include "transport/jumpserver/sign_in.h"

namespace transport::jumpserver {
namespace {

constexpr const char* kLogin = "/core/auth/login/";
constexpr const char* kMfa = "/core/auth/login/mfa/";
constexpr int kWebCodeAttempts = 3;
constexpr int kMostWebSteps = 8;

/// The path of a Location; whatever host it names, only ours is asked.
std::string path_of(std::string_view location) {
  if (const auto scheme = location.find("://"); scheme != std::string_view::npos) {
    const auto slash = location.find('/', scheme + 3);
    return slash == std::string_view::npos ? "/" : std::string(location.substr(slash));
  }
  return location.starts_with('/') ? std::string(location) : std::string();
}

/// One sign-in through the pages that a browser would show.
class WebSignIn {
 public:
  WebSignIn(ConnectionSetup& setup, CoreClient& client, const std::string& user, const Secret& password)
      : setup_(setup), client_(client), user_(user), password_(password) {}

  CoreResult<SignInSteps> run() {
    client_.jar().clear();
    if (auto page = open_page(); !page) return tl::unexpected(page.error());
    auto posted = post(kLogin, {{"username", user_},
                                {"password", std::string(password_.view())},
                                {"csrfmiddlewaretoken", client_.jar().csrf()}});
    if (!posted) return tl::unexpected(posted.error());
    if (posted->head.status == 200)
      return refused("password_failed", client_.host() +
                                            " showed the login page again: the password is wrong, or it "
                                            "wants something that only a browser can show");
    return follow(std::move(*posted));
  }

 private:
  static tl::unexpected<CoreError> refused(std::string code, std::string message) {
    return tl::unexpected(CoreError{CoreError::Kind::refused, 0, std::move(code), std::move(message)});
  }
  tl::unexpected<CoreError> browser_only(const std::string& why) const {
    return refused("browser_only", client_.host() + " " + why +
                                       "; sign in with a browser and give its session to `jms login --with cookie`");
  }

  CoreResult<Answer> get(const std::string& path) { return client_.send(setup_, {.path = path, .anonymous = true}); }
  CoreResult<Answer> post(const std::string& path, const std::vector<std::pair<std::string, std::string>>& fields) {
    return client_.send(setup_, {.method = "POST", .path = path, .form = form_text(fields), .anonymous = true});
  }

  /// The visit plants the test cookie without which the form is refused.
  CoreResult<void> open_page() {
    const auto page = get(std::string(kLogin) + "?admin=1");
    if (!page) return tl::unexpected(page.error());
    if (page->head.status >= 300 && page->head.status < 400) return browser_only("signs in elsewhere (single sign-on)");
    if (!page->ok()) return tl::unexpected(error_of(page->head, page->json, page->body, client_.host()));
    if (page->body.find("captcha") != std::string::npos) return browser_only("wants a captcha");
    if (client_.jar().csrf().empty()) return browser_only("has a login page that jms does not know");
    return {};
  }

  CoreResult<SignInSteps> follow(Answer answer) {
    for (int step = 0; step < kMostWebSteps; ++step) {
      if (answer.head.status < 300 || answer.head.status >= 400)
        return tl::unexpected(error_of(answer.head, answer.json, answer.body, client_.host()));
      const std::string to = path_of(answer.head.header("location"));
      if (to.starts_with("/core/auth/login/wait-confirm")) return browser_only("wants a reviewer to let you in");
      if (!to.starts_with(kLogin)) return finish();
      auto next = to.starts_with(kMfa) ? second_factor() : get(to);
      if (!next) return tl::unexpected(next.error());
      answer = std::move(*next);
    }
    return browser_only("does not finish the sign-in");
  }

  CoreResult<Answer> second_factor() {
    steps_.second_factor = true;
    const auto page = get(kMfa);
    if (!page) return page;
    std::vector<std::string> offered;
    for (const char* type : {"otp", "sms", "email", "otp_radius", "mfa_custom"})
      if (page->body.find("value=\"" + std::string(type) + "\"") != std::string::npos) offered.push_back(type);
    if (offered.empty()) offered.push_back("otp");
    const auto type = choose_factor(setup_, client_.host(), offered);
    if (!type) return tl::unexpected(type.error());
    if (*type == "sms" || *type == "email") {
      const auto sent = client_.send(setup_, {.method = "POST",
                                              .path = "/api/v1/authentication/mfa/select/",
                                              .body = {{"type", *type}},
                                              .anonymous = true});
      if (!sent) return sent;
    }
    for (int attempt = 1;; ++attempt) {
      const auto factor = ask_code(setup_, client_.host(), *type, attempt);
      if (!factor) return tl::unexpected(factor.error());
      auto answer = post(kMfa, {{"code", std::string(factor->code.view())},
                                {"mfa_type", *type},
                                {"csrfmiddlewaretoken", client_.jar().csrf()}});
      if (!answer || answer->head.status != 200) return answer;
      if (attempt >= kWebCodeAttempts) return refused("mfa_failed", client_.host() + " did not accept the code");
    }
  }

  /// Believed only when the session alone opens the API.
  CoreResult<SignInSteps> finish() {
    const auto profile = get("/api/v1/users/profile/");
    if (!profile) return tl::unexpected(profile.error());
    if (!profile->ok()) return browser_only("did not give a usable session");
    Credentials& credentials = client_.credentials();
    credentials.web = {client_.jar().session(), client_.jar().csrf(), client_.jar().prefix()};
    credentials.user = user_;
    return steps_;
  }

  ConnectionSetup& setup_;
  CoreClient& client_;
  const std::string& user_;
  const Secret& password_;
  SignInSteps steps_;
};

}  // namespace

CoreResult<SignInSteps> sign_in_to_web(ConnectionSetup& setup, CoreClient& client, const std::string& user,
                                       const Secret& password) {
  return WebSignIn(setup, client, user, password).run();
}

}  // namespace transport::jumpserver
