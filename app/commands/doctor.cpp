#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "app/assistant/model_settings.h"
#include "app/command_line.h"
#include "app/commands/commands.h"
#include "app/config/config.h"
#include "app/config/state_dir.h"
#include "app/session/tty_prompter.h"
#include "app/target/jumpserver.h"
#include "app/target/sign_in_desk.h"
#include "base/environment.h"
#include "base/one_line.h"
#include "event/event_loop.h"
#include "model/endpoint_check.h"
#include "terminal/capabilities.h"

namespace app {
namespace {

/// Prints one finding per line and remembers whether any of them is bad.
class Findings {
 public:
  void good(const std::string& what, const std::string& text) { print("ok  ", what, text); }
  void bad(const std::string& what, const std::string& text) {
    print("FIX ", what, text);
    all_good_ = false;
  }
  bool all_good() const { return all_good_; }

 private:
  static void print(const char* mark, const std::string& what, const std::string& text) {
    std::printf("%s %-10s %s\n", mark, what.c_str(), text.c_str());
  }
  bool all_good_ = true;
};

void check_terminal(Findings& findings) {
  const auto capabilities = terminal::Capabilities::of_environment();
  const std::string name = base::environment("TERM");
  if (!capabilities.can_draw)
    return findings.bad("terminal", "TERM=" + name + " cannot show the panel; use a terminal with cursor addressing");
  static constexpr const char* kDepths[] = {"no colour", "8 colours", "16 colours", "256 colours", "true colour"};
  findings.good("terminal",
                "TERM=" + name + ", " + kDepths[static_cast<int>(capabilities.colors)] +
                    (capabilities.utf8 ? ", UTF-8" : ", not UTF-8: set LANG to a UTF-8 locale for signs and CJK"));
}

std::optional<Config> check_config(Findings& findings, const CommonOptions& common) {
  auto config = load_config_or_defaults(common.config_path);
  if (!config) {
    findings.bad("config", config.error().message);
    return std::nullopt;
  }
  const std::string path = common.config_path.empty() ? default_config_path() : common.config_path;
  findings.good("config", path + (::access(path.c_str(), F_OK) == 0 ? "" : " (not there: defaults)"));
  return std::move(*config);
}

void check_state(Findings& findings) {
  const auto state = state_dir();
  state ? findings.good("state", *state) : findings.bad("state", state.error().message);
}

void check_model(Findings& findings, const ModelChoice& choice, const Config& config) {
  const auto setup = model_setup(choice, config);
  if (!setup) return findings.bad("model", setup.error().message);
  if (setup->provider == Provider::offline)
    return findings.good(
        "model",
        "none configured: the offline runbook engine answers; set ANTHROPIC_API_KEY or OPENAI_BASE_URL for one");
  if (setup->settings.model.empty())
    return findings.bad("model", "no model is named; set `name` in [model] of the config, or --model");
  event::EventLoop loop;
  std::optional<model::EndpointReport> report;
  const model::EndpointCheck check(loop, setup->settings, [&](model::EndpointReport done) {
    report = std::move(done);
    loop.stop();
  });
  while (!report) loop.run();
  const bool good = report->reachable && report->key_accepted && report->model_known;
  good ? findings.good("model", report->message) : findings.bad("model", report->message);
}

/// One server: whether it answers, who is signed in, and what that opens. Nothing is asked and nobody signed in.
void check_jumpserver(Findings& findings, const Config& config, const std::string& profile) {
  const std::string of = profile == "default" ? "" : "profile " + base::one_line(profile, 60) + ": ";
  auto access = jumpserver_access(config, profile == "default" ? "" : profile, Lookup::with_credentials);
  if (!access) return findings.bad("jumpserver", of + access.error().message);
  access->settings.sign_in_again = nullptr;
  event::EventLoop loop;
  TtyPrompter prompter(loop);
  transport::jumpserver::CoreClient client(loop, access->settings);
  base::Result<std::string> user = base::fail("interrupted");
  const int ended_by = run_in_fiber(loop, prompter, {}, [&](transport::ConnectionSetup& setup) {
    if (auto fetched = access->fetch(&setup); !fetched) return void(user = base::fail(fetched.error()));
    client.use(access->settings.credentials);
    const auto about_me = client.who_am_i(setup);
    if (about_me)
      user = transport::jumpserver::text_at(*about_me, "username");
    else
      user = base::fail(about_me.error().message);
  });
  if (ended_by != 0) die_by(ended_by);
  if (!user) return findings.bad("jumpserver", of + user.error().message);
  findings.good("jumpserver", of + client.host() + " answers; signed in as " + base::one_line(*user, 80) + "; " +
                                  what_opens(client.credentials()));
}

void check_jumpservers(Findings& findings, const Config& config) {
  const auto profiles = jumpserver_profiles(config);
  if (profiles.empty()) findings.good("jumpserver", "none set up; begin with `jms login SERVER` to use one");
  for (const auto& profile : profiles) check_jumpserver(findings, config, profile);
}

}  // namespace

void add_model_options(CLI::App& command, ModelChoice& choice) {
  command.add_option("--provider", choice.provider, "Who answers: anthropic, openai or offline")->type_name("NAME");
  command.add_option("--model", choice.model, "Which model")->type_name("NAME");
}

void add_doctor(CLI::App& jms, const CommonOptions& common, Outcome& outcome) {
  CLI::App* command =
      jms.add_subcommand("doctor", "Check terminal, config, permissions, the model's endpoint and the JumpServer");
  auto choice = std::make_shared<ModelChoice>();
  add_model_options(*command, *choice);
  command->callback([choice, &common, &outcome] {
    Findings findings;
    check_terminal(findings);
    const auto config = check_config(findings, common);
    check_state(findings);
    if (config) check_model(findings, *choice, *config);
    if (config) check_jumpservers(findings, *config);
    outcome.exit_code = findings.all_good() ? kDone : kFailed;
  });
}

}  // namespace app
