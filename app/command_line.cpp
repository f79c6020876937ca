#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "app/commands/commands.h"

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

}  // namespace

int complain(const std::string& sentence, int exit_code) {
  std::fprintf(stderr, "jms: %s\n", sentence.c_str());
  return exit_code;
}

int run(int argc, char** argv) {
  CLI::App jms(kAbout, "jms");
  jms.set_version_flag("--version", "jms " JMS_VERSION);
  jms.get_formatter()->column_width(36);
  CommonOptions common;
  jms.add_option("--config", common.config_path, "Read this file instead of the default config.toml")
      ->type_name("FILE");

  Outcome outcome;
  add_open_target(jms, common, outcome);
  add_exec(jms, common, outcome);
  add_ask(jms, common, outcome);
  add_skills(jms, outcome);
  add_sessions(jms, common, outcome);
  add_policy(jms, outcome);
  add_redact(jms, outcome);
  add_audit(jms, outcome);
  add_doctor(jms, common, outcome);
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
