#include "transport/jumpserver/sign_in.h"

#include <algorithm>
#include <charconv>

#include "base/one_line.h"
#include "event/deadline.h"

namespace transport::jumpserver {
namespace {

using Kind = CoreError::Kind;

constexpr const char* kReview = "/api/v1/authentication/login-confirm-ticket/status/";
// The server forgets a half-finished sign-in after ten minutes.
constexpr std::chrono::minutes kLongestSignInReview{10};
constexpr std::chrono::seconds kFirstReviewPoll{1}, kReviewPoll{5};
constexpr int kCodeAttempts = 3;
constexpr int kMostSteps = 8;

tl::unexpected<CoreError> not_answered() {
  return tl::unexpected(CoreError{Kind::cancelled, 0, "", "the sign-in was given up"});
}

std::string factor_name(const std::string& type) {
  if (type == "otp") return "one-time code (authenticator app)";
  if (type == "sms") return "code by SMS";
  if (type == "email") return "code by mail";
  if (type == "otp_radius" || type == "radius") return "RADIUS code";
  return type;
}

/// One sign-in over the API; the server keeps its state under a cookie.
class ApiSignIn {
 public:
  ApiSignIn(ConnectionSetup& setup, CoreClient& client, const std::string& user, const Secret& password)
      : setup_(setup), client_(client), user_(user), password_(password) {}

  CoreResult<SignInSteps> run() {
    client_.jar().clear();
    for (int step = 0; step < kMostSteps; ++step) {
      auto answer =
          post("/api/v1/authentication/tokens/", {{"username", user_}, {"password", std::string(password_.view())}});
      if (!answer) return tl::unexpected(answer.error());
      if (!text_at(answer->json, "token").empty()) return keep(answer->json);
      if (auto done = next(*answer); !done) return tl::unexpected(done.error());
    }
    return refused("", client_.host() + " does not finish the sign-in; try it in the browser");
  }

 private:
  CoreResult<Answer> post(const std::string& path, Json body) {
    return client_.send(setup_, {.method = "POST", .path = path, .body = std::move(body), .anonymous = true});
  }

  CoreResult<SignInSteps> keep(const Json& json) {
    Credentials& credentials = client_.credentials();
    const std::string keyword = text_at(json, "keyword");
    credentials.token = {keyword.empty() ? "Bearer" : keyword, text_at(json, "token")};
    credentials.token_expires = parse_time(text_at(json, "date_expired"));
    credentials.user = user_;
    return steps_;
  }

  CoreResult<void> next(const Answer& answer) {
    const std::string code = code_of(answer.json);
    if (code == "mfa_required") return second_factor(at(answer.json, "data"));
    if (code == "login_confirm_wait" || code == "login_confirm_required") return wait_for_reviewer();
    return tl::unexpected(failure(answer));
  }

  CoreError failure(Answer answer) const {
    // A refused sign-in is no "sign in again".
    if (answer.head.status == 401 || answer.ok()) answer.head.status = 400;
    CoreError error = error_of(answer.head, answer.json, answer.body, client_.host());
    error.message = client_.without_secrets(std::move(error.message));
    return error;
  }

  CoreResult<void> second_factor(const Json& data) {
    steps_.second_factor = true;
    std::vector<std::string> offered;
    for (const auto& choice : at(data, "choices"))
      if (choice.is_string()) offered.push_back(choice.get<std::string>());
    const auto type = choose_factor(setup_, client_.host(), offered);
    if (!type) return tl::unexpected(type.error());
    if (*type == "sms" || *type == "email") {
      const auto sent = post("/api/v1/authentication/mfa/select/", {{"type", *type}});
      if (!sent) return tl::unexpected(sent.error());
      if (!sent->ok()) return tl::unexpected(failure(*sent));
    }
    std::string url = text_at(data, "url");
    if (!url.starts_with("/")) url = "/api/v1/authentication/mfa/challenge/";
    return challenge(url, *type);
  }

  CoreResult<void> challenge(const std::string& url, const std::string& type) {
    for (int attempt = 1;; ++attempt) {
      const auto factor = ask_code(setup_, client_.host(), type, attempt);
      if (!factor) return tl::unexpected(factor.error());
      const auto answer = post(url, {{"type", type}, {"code", std::string(factor->code.view())}});
      if (!answer) return tl::unexpected(answer.error());
      if (answer->ok() && code_of(answer->json).empty()) return {};
      if (code_of(answer->json) != "mfa_failed" || attempt >= kCodeAttempts) return tl::unexpected(failure(*answer));
    }
  }

  CoreResult<void> wait_for_reviewer() {
    steps_.review = true;
    const auto begin = std::chrono::steady_clock::now();
    const event::Deadline limit(kLongestSignInReview);
    for (auto wait = kFirstReviewPoll;; wait = kReviewPoll) {
      const auto waited =
          std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin).count();
      setup_.tell("waiting for a reviewer to let you in: " + std::to_string(waited) + " s (Ctrl-C gives up)");
      if (!pause(setup_, wait)) return withdraw_review();
      const auto answer = client_.send(setup_, {.path = kReview, .anonymous = true});
      if (setup_.fiber().cancelled()) return withdraw_review();
      if (!answer) return tl::unexpected(answer.error());
      if (answer->ok() && text_at(answer->json, "msg") == "ok") return {};
      if (code_of(answer->json) != "login_confirm_wait") return tl::unexpected(failure(*answer));
      if (limit.passed()) return give_up_review();
    }
  }

  /// The operator gave up: the request goes from the reviewers' list.
  CoreResult<void> withdraw_review() {
    client_.send_last(setup_, {.method = "DELETE", .path = kReview, .anonymous = true});
    return not_answered();
  }

  CoreResult<void> give_up_review() {
    const auto told = client_.send(setup_, {.method = "DELETE", .path = kReview, .anonymous = true});
    (void)told;  // Withdrawn or not, the server forgets it now.
    return refused("login_confirm_timeout", "no reviewer answered within ten minutes; ask one, then sign in again");
  }

  ConnectionSetup& setup_;
  CoreClient& client_;
  const std::string& user_;
  const Secret& password_;
  SignInSteps steps_;
};

}  // namespace

bool pause(ConnectionSetup& setup, std::chrono::milliseconds time) {
  const event::Deadline deadline(time);
  while (!deadline.passed())
    if (setup.fiber().wait(deadline.left()) == event::Fiber::Woken::cancelled) return false;
  return !setup.fiber().cancelled();
}

CoreResult<std::string> choose_factor(ConnectionSetup& setup, const std::string& host,
                                      const std::vector<std::string>& offered) {
  std::vector<std::string> usable;
  for (const auto& type : offered)
    if (type != "face" && type != "passkey") usable.push_back(type);
  if (usable.empty())
    return refused("browser_only", host +
                                       " wants a second factor that only a browser can give; sign in there and use "
                                       "`jms login --with cookie`, or an access key with `--with key`");
  if (usable.size() == 1) return usable.front();
  SshQuestion question{.kind = SshQuestion::Kind::challenge, .hop = host, .echo = true};
  question.instruction = host + " wants a second factor:";
  for (std::size_t i = 0; i < usable.size(); ++i)
    question.instruction += "\n  " + std::to_string(i + 1) + ") " + base::one_line(factor_name(usable[i]), 60);
  question.text = "Which one [1]: ";
  for (;;) {
    const auto answer = setup.ask(question);
    if (!answer) return not_answered();
    const std::string_view text = answer->view();
    if (text.empty()) return usable.front();
    if (const auto named = std::find(usable.begin(), usable.end(), text); named != usable.end()) return *named;
    std::size_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    if (number >= 1 && number <= usable.size()) return usable[number - 1];
    ++question.attempt;
  }
}

CoreResult<SecondFactor> ask_code(ConnectionSetup& setup, const std::string& host, const std::string& type,
                                  int attempt) {
  SshQuestion question{.kind = SshQuestion::Kind::challenge, .hop = host, .attempt = attempt};
  if (attempt > 1) question.instruction = "That code was not accepted.";
  question.text = base::one_line(factor_name(type), 60) + ": ";
  auto answer = setup.ask(question);
  if (!answer) return not_answered();
  return SecondFactor{type, std::move(*answer)};
}

CoreResult<SignInSteps> sign_in(ConnectionSetup& setup, CoreClient& client, const std::string& user,
                                const Secret& password) {
  return ApiSignIn(setup, client, user, password).run();
}

}  // namespace transport::jumpserver
