#include "app/target/sign_in_desk.h"

#include "app/target/fetch_secret.h"
#include "app/target/terminal_picture.h"
#include "base/one_line.h"
#include "event/deadline.h"

namespace app {
namespace {

namespace js = transport::jumpserver;
using transport::Secret;
using transport::SshQuestion;

constexpr int kPasswordAttempts = 3;
// The code of an authenticator changes every 30 s.
constexpr std::chrono::seconds kNextCodeLimit{40}, kNextCodePoll{1};

tl::unexpected<js::CoreError> failed(const base::Error& error) {
  return tl::unexpected(js::CoreError{js::CoreError::Kind::refused, 0, "", error.message});
}

/// What was just given cannot have ended: it was never good, or is good no more.
js::CoreError not_accepted(js::CoreError error, const std::string& with, const std::string& host) {
  if (error.kind == js::CoreError::Kind::signed_out && (with == "token" || with == "cookie"))
    error.message = host + " does not accept this " + (with == "token" ? "token" : "browser session") +
                    ": it is mistyped, has ended or was revoked";
  return error;
}

/// Codes from `otp_command`, pictures on the terminal.
class DeskHelper final : public js::SignInHelper {
 public:
  explicit DeskHelper(const SecretSource& otp) : otp_(otp) {}

  bool has_one_time_codes() const override { return !otp_.empty(); }

  js::CoreResult<Secret> one_time_code(transport::ConnectionSetup& setup, std::string_view used) override {
    const event::Deadline limit(kNextCodeLimit);
    for (;;) {
      const auto code = fetch_secret(setup, otp_, "jumpserver.otp");
      if (!code) return failed(code.error());
      if (*code != used) return Secret(*code);
      if (limit.passed())
        return failed(base::Error{"the server refused the one-time code, and `jumpserver.otp_command` gives no other"});
      setup.tell("waiting for the next one-time code…");
      if (!js::pause(setup, kNextCodePoll)) return js::not_answered(setup, "a one-time code");
    }
  }

  bool show_picture(transport::ConnectionSetup& setup, std::string_view picture) override {
    return setup.terminal_is_free() && show_on_terminal(picture);
  }

 private:
  const SecretSource& otp_;
};

}  // namespace

std::string what_opens(const js::Credentials& credentials, const std::string& no_web) {
  if (!credentials.web.id.empty()) return "opens assets over the WebSocket and SSH";
  if (!no_web.empty()) return "opens assets over SSH (a one-time token), not over the WebSocket: " + no_web;
  return "opens assets over SSH (a one-time token); the WebSocket wants a web session: `jms login --with web`";
}

js::CoreResult<SignInOutcome> SignInDesk::sign_in(const std::string& with, const std::string& why) {
  why_ = why;
  js::Credentials& credentials = access_.settings.credentials;
  credentials = {.server = credentials.server, .user = credentials.user, .org = credentials.org};
  js::CoreClient::Settings settings = access_.settings;
  settings.sign_in_again = nullptr;
  js::CoreClient client(setup_.loop(), settings);
  auto done = with == "key"      ? with_key(client)
              : with == "token"  ? with_token(client)
              : with == "cookie" ? with_cookie(client)
                                 : with_password(client, with);
  if (!done) return tl::unexpected(done.error());
  // A client of its own: it proves what was got, and nothing of the sign-in under way.
  settings.credentials = client.credentials();
  settings.credentials.with = with;
  js::CoreClient proof(setup_.loop(), settings);
  const auto profile = proof.who_am_i(setup_);
  if (!profile) return tl::unexpected(not_accepted(profile.error(), with, proof.host()));
  SignInOutcome outcome{proof.credentials(), js::text_at(*profile, "name"), no_web_};
  outcome.credentials.user = js::text_at(*profile, "username");
  if (auto saved = access_.file().save(outcome.credentials); !saved) return failed(saved.error());
  return outcome;
}

std::optional<Secret> SignInDesk::ask(const std::string& text, bool echo, const std::string& instruction) {
  SshQuestion question{.kind = SshQuestion::Kind::password, .hop = access_.settings.credentials.server};
  question.instruction = std::exchange(why_, "");
  if (!instruction.empty()) question.instruction += (question.instruction.empty() ? "" : "\n") + instruction;
  question.text = text;
  question.echo = echo;
  return setup_.ask(question);
}

js::CoreResult<void> SignInDesk::with_key(Core& client) {
  const auto id = ask("Access key: ", true, "From your profile page in JumpServer, API keys.");
  if (!id) return js::not_answered(setup_, "an access key");
  const auto secret = ask("Secret key: ", false);
  if (!secret) return js::not_answered(setup_, "the secret of the access key");
  client.credentials().key = {std::string(id->view()), std::string(secret->view())};
  return {};
}

js::CoreResult<void> SignInDesk::with_token(Core& client) {
  const auto token = ask("Token: ", false);
  if (!token) return js::not_answered(setup_, "a token");
  client.credentials().token = js::token_from_text(std::string(token->view()));
  return {};
}

js::CoreResult<void> SignInDesk::with_cookie(Core& client) {
  const auto cookie = ask("jms_sessionid: ", false, "The cookie `jms_sessionid` of a browser that is signed in.");
  if (!cookie) return js::not_answered(setup_, "a browser's session");
  client.credentials().web = js::session_from_text(std::string(cookie->view()));
  return {};
}

js::CoreResult<void> SignInDesk::with_password(Core& client, const std::string& with) {
  std::string user = client.credentials().user;
  if (user.empty()) {
    const auto answer = ask("User: ", true);
    if (!answer || answer->empty()) return js::not_answered(setup_, "a user (`user` in [jumpserver])");
    user = answer->view();
  }
  if (!access_.password.empty()) {
    const auto stored = fetch_secret(setup_, access_.password, "jumpserver.password");
    if (!stored) return failed(stored.error());
    return try_password(client, with, user, Secret(*stored));
  }
  for (int attempt = 1;; ++attempt) {
    const auto password = ask(base::one_line(user, 80) + "'s password: ", false);
    if (!password) return js::not_answered(setup_, "the password (`password_command` in [jumpserver] gives one)");
    auto done = try_password(client, with, user, *password);
    // Each failure counts towards the lock: only a password that was surely wrong is asked for again.
    if (done || done.error().code != "password_failed" || attempt >= kPasswordAttempts) return done;
    why_ = done.error().message;
  }
}

js::CoreResult<void> SignInDesk::try_password(Core& client, const std::string& with, const std::string& user,
                                              const Secret& password) {
  DeskHelper helper(access_.otp);
  const js::SignInTalk talk{setup_, client, user, password, helper};
  if (with == "web") return js::sign_in_to_web(talk);
  const auto signed_in = js::sign_in(talk);
  if (!signed_in) return tl::unexpected(signed_in.error());
  no_web_ = signed_in->no_web;
  return {};
}

}  // namespace app
