#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <memory>
#include <string>

#include "app/command_line.h"
#include "app/commands/commands.h"
#include "app/session/tty_prompter.h"
#include "app/target/jumpserver.h"
#include "app/target/sign_in_desk.h"
#include "base/environment.h"
#include "base/one_line.h"
#include "base/words.h"
#include "http/failure.h"
#include "transport/jumpserver/sign_in.h"

namespace app {
namespace {

namespace js = transport::jumpserver;
using transport::ConnectionSetup;
using transport::SshQuestion;

struct LoginOptions {
  std::string server, profile, user, org;
  std::string with = "password";
};

/// One run of `jms login`, inside a fiber.
class Login {
 public:
  Login(ConnectionSetup& setup, const Config& config, LoginOptions options)
      : setup_(setup), config_(config), options_(std::move(options)) {}

  js::CoreResult<std::string> run() {
    if (auto profile = choose_profile(); !profile) return tl::unexpected(profile.error());
    auto access = jumpserver_access(config_, options_.profile, Lookup::server_only);
    if (!access) return failed(access.error().message);
    if (auto server = find_server(*access); !server) return tl::unexpected(server.error());
    js::Credentials& credentials = access->settings.credentials;
    if (!options_.user.empty()) credentials.user = options_.user;
    if (!options_.org.empty()) credentials.org = options_.org;
    const std::string profile = access->profile;
    const auto outcome = SignInDesk(setup_, std::move(*access)).sign_in(options_.with);
    if (!outcome) return tl::unexpected(outcome.error());
    return summary(*outcome, profile);
  }

 private:
  static tl::unexpected<js::CoreError> failed(std::string message) { return js::refused("", std::move(message)); }

  /// With several servers and none named, the operator says which one; without a terminal it is `[jumpserver]`.
  js::CoreResult<void> choose_profile() {
    const auto names = jumpserver_profiles(config_);
    const bool named =
        !options_.server.empty() || !options_.profile.empty() || !base::environment("JMS_SERVER").empty();
    if (named || names.size() < 2) return {};
    if (!setup_.can_ask()) {
      if (names.front() == "default") return {};
      return failed("name one of your JumpServers with --profile: " + base::joined(names, ", "));
    }
    SshQuestion question{.kind = SshQuestion::Kind::challenge, .hop = "JumpServer", .echo = true};
    question.instruction = "Your JumpServers:";
    for (std::size_t i = 0; i < names.size(); ++i) question.instruction += "\n  " + line_of(i + 1, names[i]);
    question.text = "Which one [1]: ";
    for (;;) {
      const auto answer = setup_.ask(question);
      if (!answer) return js::not_answered(setup_, "the JumpServer's name");
      const std::string_view text = answer->view();
      std::size_t number = text.empty() ? 1 : 0;
      std::from_chars(text.data(), text.data() + text.size(), number);
      if (number >= 1 && number <= names.size()) options_.profile = names[number - 1];
      for (const auto& name : names)
        if (name == text) options_.profile = name;
      if (options_.profile == "default")
        options_.profile.clear();
      else if (options_.profile.empty())
        continue;
      return {};
    }
  }

  std::string line_of(std::size_t number, const std::string& name) const {
    const auto access = jumpserver_access(config_, name == "default" ? "" : name, Lookup::server_only);
    const std::string server = access ? access->settings.credentials.server : "";
    const std::string user = access ? access->settings.credentials.user : "";
    return std::to_string(number) + ") " + base::one_line(name, 60) + "  " + server +
           (user.empty() ? "" : " as " + base::one_line(user, 60));
  }

  js::CoreResult<void> find_server(JumpServerAccess& access) {
    std::string& server = access.settings.credentials.server;
    std::string written = options_.server;
    if (written.empty() && server.empty()) {
      SshQuestion question{.kind = SshQuestion::Kind::challenge, .text = "JumpServer address: ", .echo = true};
      const auto answer = setup_.ask(question);
      if (!answer) return failed("name the server: `jms login https://jump.example.com`");
      written = answer->view();
    }
    if (written.empty()) return {};
    const auto normal = js::normal_server(written);
    if (!normal) return failed(normal.error().message);
    // Another server than before: user, organisation and the commands that give secrets belong to that one.
    if (*normal != server) {
      access.settings.credentials = {.server = *normal};
      access.password = access.otp = {};
    }
    return {};
  }

  std::string summary(const SignInOutcome& outcome, const std::string& profile) const {
    const js::Credentials& got = outcome.credentials;
    const std::string name = base::one_line(outcome.name, 80);
    std::string text = "signed in to " + http::shown_host(got.server) + " as " + base::one_line(got.user, 80);
    if (!name.empty() && name != got.user) text += " (" + name + ")";
    if (profile != "default") text += ", profile " + profile;
    return text + "; " + what_opens(got, outcome.no_web);
  }

  ConnectionSetup& setup_;
  const Config& config_;
  LoginOptions options_;
};

int login(const LoginOptions& options, const CommonOptions& common) {
  const auto config = load_config_or_defaults(common.config_path);
  if (!config) return complain(config.error().message, kUsage);
  if (const auto access = jumpserver_access(*config, options.profile, Lookup::server_only); !access)
    return complain(access.error().message, kUsage);
  js::CoreResult<std::string> outcome;
  bool interrupted = false;
  int ended_by = 0;
  {
    event::EventLoop loop;  // Gone before we die by a signal: a request to reviewers is withdrawn by then.
    TtyPrompter prompter(loop);
    ended_by = run_in_fiber(
        loop, prompter, [&](const std::string& what) { prompter.tell(what); },
        [&](ConnectionSetup& setup) {
          outcome = Login(setup, *config, options).run();
          interrupted = setup.fiber().cancelled();
        });
    prompter.clear();
  }
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
                   "password (API and web session), web (the form alone), key (access key), token, cookie (of a "
                   "browser)")
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
