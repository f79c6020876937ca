#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/assistant/assistant_settings.h"
#include "app/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/json_line.h"
#include "safety/command_classifier.h"

namespace app {
namespace {

constexpr int kChanges = 10;
constexpr int kDestructive = 20;

nlohmann::ordered_json to_json(const safety::Verdict& verdict) {
  nlohmann::ordered_json json = {{"class", safety::name_of(verdict.cls)}, {"reason", verdict.reason}};
  json["parts"] = nlohmann::ordered_json::array();
  for (const auto& part : verdict.parts)
    json["parts"].push_back({{"command", part.command}, {"class", safety::name_of(part.cls)}, {"reason", part.reason}});
  return json;
}

int exit_code_of(const safety::Verdict& verdict) {
  switch (verdict.cls) {
    case safety::CommandClass::ReadOnly:
      return kDone;
    case safety::CommandClass::Changes:
      return kChanges;
    case safety::CommandClass::Destructive:
      return kDestructive;
  }
  return kDestructive;
}

/// For scripts, and as the verb of a sentence.
struct AnswerWords {
  std::string_view name;
  std::string_view verb;
};

AnswerWords words_for(safety::Permission::Answer answer) {
  switch (answer) {
    case safety::Permission::Answer::Run:
      return {"run", "runs"};
    case safety::Permission::Answer::Ask:
      return {"ask", "asks"};
    case safety::Permission::Answer::AskTwice:
      return {"ask_twice", "asks twice"};
    case safety::Permission::Answer::Refuse:
      break;
  }
  return {"refuse", "is refused"};
}

struct CheckOptions {
  std::string command;
  std::string target;  ///< Empty: the class alone, whatever the rules say.
  std::string tool = "execute_command";
  std::string mode;
  bool json = false;
  bool batch = false;
};

/// What would become of a command on a target, by the config's rules and modes.
int check_on_target(const CheckOptions& options, const CommonOptions& common) {
  const auto config = load_config_or_defaults(common.config_path);
  if (!config) return complain(config.error().message, kUsage);
  const auto mode = mode_option(options.mode);
  if (!mode) return complain(mode.error().message, kUsage);
  TargetOptions target;
  target.target = options.target;
  const auto settings = assistant_settings(*config, target, *mode);
  if (!settings) return complain(settings.error().message, kUsage);
  const auto permission =
      settings->permissions.decide({.tool = options.tool, .command = options.command, .target = settings->where});
  const auto held = safety::name_of(settings->permissions.mode_for(settings->where));
  const bool production = settings->permissions.is_production(settings->where);
  if (options.json) {
    auto json = to_json(permission.verdict);
    json["target"] = options.target;
    json["mode"] = held;
    json["production"] = production;
    json["decision"] = words_for(permission.answer).name;
    json["decided_by"] = permission.decided_by;
    json["why"] = permission.reason;
    std::cout << as_line(json);
  } else {
    std::cout << safety::name_of(permission.verdict.cls) << ": " << permission.verdict.reason << "\n"
              << "on " << options.target << " (" << (production ? "production, " : "") << held << " mode) it "
              << words_for(permission.answer).verb << ", by " << permission.decided_by << ": " << permission.reason
              << "\n";
  }
  return exit_code_of(permission.verdict);
}

int check_one(const std::string& command, bool json) {
  const auto verdict = safety::CommandClassifier().classify(command);
  std::cout << (json ? as_line(to_json(verdict))
                     : std::string(safety::name_of(verdict.cls)) + ": " + verdict.reason + "\n");
  return exit_code_of(verdict);
}

int check_batch() {
  const safety::CommandClassifier classifier;
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto command = nlohmann::json::parse(line, nullptr, false);
    if (!command.is_string())
      return complain("a line of --batch wants one JSON string; got: " + line.substr(0, 80), kUsage);
    std::cout << as_line(to_json(classifier.classify(command.get<std::string>())));
  }
  return kDone;
}

}  // namespace

void add_policy(CLI::App& jms, const CommonOptions& common, Outcome& outcome) {
  CLI::App* policy = jms.add_subcommand("policy", "What jms thinks of a command");
  policy->require_subcommand(1);
  CLI::App* check =
      policy->add_subcommand("check", "Print class and reason: read-only (0), changes (10), destructive (20)");
  auto options = std::make_shared<CheckOptions>();
  CLI::Option* command = check->add_option("COMMAND", options->command, "The command, as one argument");
  check->add_option("--target", options->target, "Also say what becomes of it there, by the config's rules and modes");
  check->add_option("--tool", options->tool, "execute_command or local_command")
      ->check(CLI::IsMember({"execute_command", "local_command"}))
      ->capture_default_str();
  check->add_option("--mode", options->mode, "As if jms were started with this mode");
  check->add_flag("--json", options->json, "Everything, as JSON");
  CLI::Option* batch =
      check->add_flag("--batch", options->batch, "JSON strings on standard input, one result line each");
  batch->excludes("--target");
  check->callback([options, command, &common, &outcome] {
    // A script whose variable was empty must not read "read-only" from a command that was never given.
    outcome.exit_code = (command->count() != 0) == options->batch
                            ? complain("give one command in quotes, or --batch and commands on standard input", kUsage)
                        : options->batch          ? check_batch()
                        : options->target.empty() ? check_one(options->command, options->json)
                                                  : check_on_target(*options, common);
  });
}

}  // namespace app
