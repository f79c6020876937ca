#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "app/assistant/skill_roots.h"
#include "app/command_line.h"
#include "app/commands/commands.h"
#include "skills/report.h"

namespace app {
namespace {

int check_skills(const std::string& path) {
  const auto report = skills::check(path);
  for (const auto& error : report.errors) std::cout << "error: " << error << "\n";
  for (const auto& warning : report.warnings) std::cout << "warning: " << warning << "\n";
  std::cout << report.skills << (report.skills == 1 ? " skill" : " skills") << " checked\n";
  return report.ok() ? kDone : kFailed;
}

int list_skills(bool json) {
  const skills::SkillIndex index(skill_roots());
  std::cout << (json ? skills::list_json(index).dump() + "\n" : skills::list_text(index));
  return kDone;
}

int show_skill(const std::string& name) {
  const skills::SkillIndex index(skill_roots());
  const auto text = skills::show(index, name);
  if (!text) return complain(text.error().message, kFailed);
  std::cout << *text;
  return kDone;
}

int trust_folder(const std::string& folder, Trust trust) {
  const auto path = set_trust(folder, trust);
  if (!path) return complain(path.error().message, kFailed);
  std::cout << (trust == Trust::add ? "trusted: " : "no longer trusted: ") << *path << "\n";
  return kDone;
}

int list_trusted() {
  const auto folders = trusted_folders();
  if (!folders) return complain(folders.error().message, kFailed);
  for (const auto& folder : *folders) std::cout << folder << "\n";
  return kDone;
}

}  // namespace

void add_skills(CLI::App& jms, Outcome& outcome) {
  CLI::App* skills = jms.add_subcommand("skills", "The runbooks that the agent knows");
  skills->require_subcommand(0, 1);
  auto argument = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  CLI::App* list = skills->add_subcommand("list", "All of them, one per line");
  list->add_flag("--json", *json, "As JSON");
  list->callback([json, &outcome] { outcome.exit_code = list_skills(*json); });
  CLI::App* show = skills->add_subcommand("show", "One of them, whole");
  show->add_option("NAME", *argument)->required();
  show->callback([argument, &outcome] { outcome.exit_code = show_skill(*argument); });
  CLI::App* check = skills->add_subcommand("check", "What is wrong with a skill folder");
  check->add_option("PATH", *argument)->required();
  check->callback([argument, &outcome] { outcome.exit_code = check_skills(*argument); });
  CLI::App* trust = skills->add_subcommand("trust", "Use the skills in DIR/.claude/skills when jms starts in DIR");
  auto listed = std::make_shared<bool>(false);
  trust->add_option("DIR", *argument, "The folder; this one when it is left out");
  trust->add_flag("--list", *listed, "Print the folders that are trusted");
  trust->callback([argument, listed, &outcome] {
    outcome.exit_code = *listed ? list_trusted() : trust_folder(*argument, Trust::add);
  });
  CLI::App* untrust = skills->add_subcommand("untrust", "Stop using them");
  untrust->add_option("DIR", *argument, "The folder; this one when it is left out");
  untrust->callback([argument, &outcome] { outcome.exit_code = trust_folder(*argument, Trust::remove); });
  skills->callback([skills, &outcome] {
    if (skills->get_subcommands().empty()) outcome.exit_code = list_skills(false);
  });
}

}  // namespace app
