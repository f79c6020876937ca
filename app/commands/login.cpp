#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "app/command_line.h"
#include "app/commands/commands.h"
#include "app/session/tty_prompter.h"
#include "app/target/jumpserver.h"
#include "base/one_line.h"
#include "http/failure.h"
#include "transport/jumpserver/sign_in.h"

namespace app {
namespace {

namespace js = transport::jumpserver;
using transport::ConnectionSetup;
using transport::Secret;
using transport::SshQuestion;

constexpr int kPasswordAttempts = 3;

struct LoginOptions {
  std::string server, profile, user, org;
  std::string with = "password";
};

/// One run of `jms login`, inside a fiber.
class Login {
 public:
  Login(ConnectionSetup& setup, event::EventLoop& loop, const LoginOptions& options, JumpServerAccess access)
      : setup_(setup), loop_(loop), options_(options), access_(std::move(access)) {}

  base::Result<std::string> run() {
    if (auto server = find_server(); !server) return base::fail(server.error());
    js::Credentials& credentials = access_.settings.credentials;
    credentials = {.server = credentials.server,
                   .user = options_.user.empty() ? credentials.user : options_.user,
                   .org = options_.org.empty() ? credentials.org : options_.org};
    client_.emplace(loop_, access_.settings);
    if (auto signed_in = sign_in(); !signed_in) return base::fail(signed_in.error());
    // A client of its own: it proves what was got, and nothing of the sign-in under way.
    js::CoreClient proof(loop_, {.credentials = client_->credentials(), .ca_file = access_.settings.ca_file});
    const auto profile = proof.who_am_i(setup_);
    if (!profile) return base::fail(profile.error().message);
    js::Credentials& got = client_->credentials();
    got.user = js::text_at(*profile, "username");
    if (auto saved = access_.file().save(got); !saved) return base::fail(saved.error());
    return summary(*profile);
  }

 private:
  base::Result<void> find_server() {
    std::string& server = access_.settings.credentials.server;
    std::string written = options_.server;
    if (written.empty() && server.empty()) {
      auto answer = ask("JumpServer address: ", true);
      if (!answer) return base::fail("name the server: `jms login https://jump.example.com`");
      written = answer->view();
    }
    if (written.empty()) return {};
    auto normal = js::normal_server(written);
    if (!normal) return base::fail(normal.error());
    // Another server than before: the user, the CA and the organisation of that one do not count.
    if (*normal != server) {
      access_.settings.credentials = {.server = *normal};
    }
    server = *normal;
    return {};
  }

  std::optional<Secret> ask(const std::string& text, bool echo, const std::string& instruction = {}) {
    SshQuestion question{.kind = SshQuestion::Kind::password, .hop = access_.settings.credentials.server};
    question.instruction = instruction;
    question.text = text;
    question.echo = echo;
    return setup_.ask(question);
  }

  static base::Result<void> given_up() {
    return base::fail("the sign-in was given up: there was no answer (is there a terminal to ask on?)");
  }

  base::Result<void> sign_in() {
    if (options_.with == "key") return with_key();
    if (options_.with == "token") return with_token();
    if (options_.with == "cookie") return with_cookie();
    return with_password();
  }

  base::Result<void> with_key() {
    const auto id = ask("Access key: ", true, "From your profile page in JumpServer, API keys.");
    if (!id) return given_up();
    const auto secret = ask("Secret key: ", false);
    if (!secret) return given_up();
    client_->credentials().key = {std::string(id->view()), std::string(secret->view())};
    return {};
  }

  base::Result<void> with_token() {
    const auto token = ask("Token: ", false);
    if (!token) return given_up();
    client_->credentials().token = js::token_from_text(std::string(token->view()));
    return {};
  }

  base::Result<void> with_cookie() {
    const auto cookie = ask("jms_sessionid: ", false, "The cookie `jms_sessionid` of a browser that is signed in.");
    if (!cookie) return given_up();
    client_->credentials().web = {std::string(cookie->view()), "", "jms_"};
    return {};
  }

  base::Result<void> with_password() {
    std::string user = client_->credentials().user;
    if (user.empty()) {
      const auto answer = ask("User: ", true);
      if (!answer || answer->empty()) return given_up();
      user = answer->view();
    }
    auto stored = read_secret(access_.password, "jumpserver.password");
    if (!stored) return base::fail(stored.error());
    if (!stored->empty()) return try_password(user, Secret(*stored)).map_error(plain);
    std::string why;
    for (int attempt = 1;; ++attempt) {
      const auto password = ask(base::one_line(user, 80) + "'s password: ", false, why);
      if (!password) return given_up();
      const auto done = try_password(user, *password);
      // Each failure counts towards the lock: only a password that was surely wrong is asked for again.
      if (done || done.error().code != "password_failed" || attempt >= kPasswordAttempts) return done.map_error(plain);
      why = done.error().message;
    }
  }

  static base::Error plain(const js::CoreError& error) { return error.plain(); }

  js::CoreResult<void> try_password(const std::string& user, const Secret& password) {
    if (options_.with == "web") {
      const auto web = js::sign_in_to_web(setup_, *client_, user, password);
      return web ? js::CoreResult<void>() : tl::unexpected(web.error());
    }
    const auto steps = js::sign_in(setup_, *client_, user, password);
    if (!steps) return tl::unexpected(steps.error());
    // The web session costs nothing when nobody has to be asked again; without it SSH still opens everything.
    if (steps->second_factor || steps->review) {
      remark_ = "the WebSocket wants a sign-in of its own: `jms login --with web`";
      return {};
    }
    if (const auto web = js::sign_in_to_web(setup_, *client_, user, password); !web) remark_ = web.error().message;
    return {};
  }

  std::string summary(const js::Json& profile) const {
    const js::Credentials& got = client_->credentials();
    const std::string name = base::one_line(js::text_at(profile, "name"), 80);
    std::string text = "signed in to " + client_->host() + " as " + base::one_line(got.user, 80);
    if (!name.empty() && name != got.user) text += " (" + name + ")";
    if (access_.profile != "default") text += ", profile " + access_.profile;
    text += got.web.id.empty() ? "; opens assets over SSH" : "; opens assets over the WebSocket and SSH";
    if (got.web.id.empty() && !remark_.empty()) text += "\njms: " + remark_;
    return text;
  }

  ConnectionSetup& setup_;
  event::EventLoop& loop_;
  const LoginOptions& options_;
  JumpServerAccess access_;
  std::optional<js::CoreClient> client_;
  std::string remark_;
};

int login(const LoginOptions& options, const CommonOptions& common) {
  const auto config = load_config_or_defaults(common.config_path);
  if (!config) return complain(config.error().message, kUsage);
  auto access = jumpserver_access(*config, options.profile, Lookup::server_only);
  if (!access) return complain(access.error().message, kUsage);
  event::EventLoop loop;
  TtyPrompter prompter(loop);
  base::Result<std::string> outcome = base::fail("interrupted");
  bool interrupted = false;
  const int ended_by = run_in_fiber(
      loop, prompter, [&](const std::string& what) { prompter.tell(what); },
      [&](ConnectionSetup& setup) {
        outcome = Login(setup, loop, options, std::move(*access)).run();
        interrupted = setup.fiber().cancelled();
      });
  prompter.clear();
  if (ended_by != 0) die_by(ended_by);
  if (!outcome) return complain(outcome.error().message, interrupted ? kInterrupted : kFailed);
  std::printf("jms: %s\n", outcome->c_str());
  return kDone;
}

int logout(const std::string& profile, const CommonOptions& common) {
  const auto config = load_config_or_defaults(common.config_path);
  if (!config) return complain(config.error().message, kUsage);
  const auto access = jumpserver_access(*config, profile, Lookup::server_only);
  if (!access) return complain(access.error().message, kUsage);
  const auto removed = access->file().remove();
  if (!removed) return complain(removed.error().message, kFailed);
  access->cache().remove();
  const std::string of = access->profile == "default" ? "" : " of profile " + access->profile;
  std::printf("jms: %s\n", (*removed ? "the sign-in" + of + " is forgotten" : "there was no sign-in" + of).c_str());
  return kDone;
}

}  // namespace

void add_login(CLI::App& jms, const CommonOptions& common, Outcome& outcome) {
  CLI::App* command = jms.add_subcommand("login", "Sign in to a JumpServer");
  auto options = std::make_shared<LoginOptions>();
  command->add_option("SERVER", options->server, "Its address, such as https://jump.example.com");
  command->add_option("--profile", options->profile, "Keep it under this name beside others")->type_name("NAME");
  command->add_option("--user", options->user, "Who signs in")->type_name("USER");
  command->add_option("--org", options->org, "Organisation to work in")->type_name("ORG");
  command
      ->add_option("--with", options->with,
                   "password (API and, if nothing more is asked, web), web (form only), key (access key), token, "
                   "cookie (of a browser)")
      ->check(CLI::IsMember({"password", "web", "key", "token", "cookie"}))
      ->capture_default_str();
  command->callback([options, &common, &outcome] { outcome.exit_code = login(*options, common); });
}

void add_logout(CLI::App& jms, const CommonOptions& common, Outcome& outcome) {
  CLI::App* command = jms.add_subcommand("logout", "Forget the sign-in to a JumpServer");
  auto profile = std::make_shared<std::string>();
  command->add_option("--profile", *profile, "The one kept under this name")->type_name("NAME");
  command->callback([profile, &common, &outcome] { outcome.exit_code = logout(*profile, common); });
}

}  // namespace app
