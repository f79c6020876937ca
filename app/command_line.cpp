#include "app/command_line.h"

#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "app/commands/commands.h"
#include "app/config/state_dir.h"
#include "app/target/target.h"
#include "app/version.h"
#include "base/log.h"

namespace app {
namespace {

constexpr const char* kAbout =
    "A terminal for servers behind jump hosts, with an assistant on Ctrl+].\n"
    "Inside a session: Ctrl+] opens the panel, Ctrl+] twice sends the key to the remote.";

/// CLI11's words for a mistake, turned into one sentence with the next step.
std::string explain(const CLI::ParseError& error) {
  std::string text = error.what();
  const std::string unexpected = "The following argument";
  if (text.starts_with(unexpected)) text = "unknown argument " + text.substr(text.find(": ") + 2);
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  return text + "; see `jms --help`";
}

/// Where the log stands; no state directory, no log.
std::string log_path() {
  const auto state = state_dir();
  return state ? *state + "/jms.log" : std::string();
}

/// --log-level and --log-content. Options are taken before any command runs, so every command logs by them.
void add_log_options(CLI::App& jms) {
  auto settings = std::make_shared<base::LogSettings>();
  settings->path = log_path;
  base::set_log(*settings);
  jms.add_option_function<std::string>(
         "--log-level",
         [settings](const std::string& name) {
           base::log_level_named(name, settings->level);
           base::set_log(*settings);
         },
         "How much goes into the state directory's jms.log: off, error, info or debug")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"off", "error", "info", "debug"}))
      ->envname("JMS_LOG_LEVEL");
  jms.add_flag_callback(
      "--log-content",
      [settings] {
        settings->content = true;
        base::set_log(*settings);
      },
      "Write what the remote prints into the log too, for finding a fault; off unless named here");
}

}  // namespace

int complain(const std::string& sentence, int exit_code) {
  std::fprintf(stderr, "jms: %s\n", sentence.c_str());
  if (exit_code == kFailed) base::log_error(sentence);
  return exit_code;
}

int complain_or_die(const base::Error& error, const TargetOptions& target, const TargetFacts& facts) {
  if (facts.ended_by == SIGTERM || facts.ended_by == SIGHUP) die_by(facts.ended_by);
  return complain(error.message, code_for_failure(target, facts));
}

void die_by(int signal_number) {
  signal(signal_number, SIG_DFL);
  raise(signal_number);
  std::_Exit(128 + signal_number);
}

int run(int argc, char** argv) {
  CLI::App jms(kAbout, "jms");
  jms.set_version_flag("--version", "jms " + std::string(version()));
  jms.get_formatter()->column_width(36);
  CommonOptions common;
  jms.add_option("--config", common.config_path, "Read this file instead of the default config.toml")
      ->type_name("FILE");

  add_log_options(jms);

  Outcome outcome;
  add_open_target(jms, common, outcome);
  add_exec(jms, common, outcome);
  add_ask(jms, common, outcome);
  add_skills(jms, outcome);
  add_sessions(jms, common, outcome);
  add_login(jms, common, outcome);
  add_logout(jms, common, outcome);
  add_assets(jms, common, outcome);
  add_policy(jms, common, outcome);
  add_redact(jms, common, outcome);
  add_audit(jms, outcome);
  add_doctor(jms, common, outcome);
  add_about(jms, outcome);
  add_debug(jms, outcome);
  try {
    jms.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return jms.exit(help_or_version);
  } catch (const CLI::ParseError& mistake) {
    return complain(explain(mistake), kUsage);
  }
  return outcome.exit_code;
}

}  // namespace app
