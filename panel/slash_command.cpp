#include "panel/slash_command.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "base/words.h"
#include "panel/fuzzy.h"

namespace panel {
namespace {

constexpr std::array<SlashCommand, 17> kCommands = {{
    {Slash::help, "help", "", Argument::none, false, Message::slash_help},
    {Slash::skills, "skills", "", Argument::none, false, Message::slash_skills},
    {Slash::skill, "skill", "NAME", Argument::skill, true, Message::slash_skill},
    {Slash::model, "model", "[NAME]", Argument::model, false, Message::slash_model},
    {Slash::mode, "mode", "[read-only|ask|auto]", Argument::mode, false, Message::slash_mode},
    {Slash::clear, "clear", "", Argument::none, false, Message::slash_clear},
    {Slash::compact, "compact", "", Argument::none, false, Message::slash_compact},
    {Slash::cost, "cost", "", Argument::none, false, Message::slash_cost},
    {Slash::context, "context", "", Argument::none, false, Message::slash_context},
    {Slash::export_, "export", "[md|json]", Argument::format, false, Message::slash_export},
    {Slash::sessions, "sessions", "", Argument::none, false, Message::slash_sessions},
    {Slash::resume, "resume", "[ID]", Argument::session, false, Message::slash_resume},
    {Slash::audit, "audit", "", Argument::none, false, Message::slash_audit},
    {Slash::theme, "theme", "[NAME]", Argument::theme, false, Message::slash_theme},
    {Slash::hooks, "hooks", "", Argument::none, false, Message::slash_hooks},
    {Slash::doctor, "doctor", "", Argument::none, false, Message::slash_doctor},
    {Slash::quit, "quit", "", Argument::none, false, Message::slash_quit},
}};

constexpr std::array<std::string_view, 3> kModeNames = {"read-only", "ask", "auto"};
constexpr std::array<std::string_view, 2> kFormats = {"md", "json"};
constexpr std::array<std::string_view, 5> kThemes = {"auto", "dark", "light", "high-contrast", "mono"};

struct Split {
  std::string_view name;
  std::string_view argument;
};

Split split(std::string_view text) {
  text = base::trimmed(text).substr(1);
  const std::size_t end = std::min(text.find_first_of(" \t\n"), text.size());
  return {text.substr(0, end), base::trimmed(text.substr(end))};
}

/// The command whose name comes nearest; empty when none does.
std::string nearest(std::string_view name) {
  const SlashCommand* best = nullptr;
  int best_score = 0;
  for (const auto& command : kCommands) {
    const bool fits = command.name.starts_with(name) || name.starts_with(command.name);
    const int score = fits ? 1000 : fuzzy_score(name, command.name).value_or(0);
    if (score > best_score) {
      best_score = score;
      best = &command;
    }
  }
  return best ? "/" + std::string(best->name) : std::string();
}

}  // namespace

std::span<const SlashCommand> slash_commands() {
  return kCommands;
}

std::span<const std::string_view> fixed_choices(Argument argument) {
  switch (argument) {
    case Argument::mode:
      return kModeNames;
    case Argument::format:
      return kFormats;
    case Argument::theme:
      return kThemes;
    default:
      return {};
  }
}

bool is_slash_command(std::string_view text) {
  if (!text.starts_with('/') || text.size() < 2) return false;
  const std::string_view name = split(text).name;
  return !name.empty() && name.find('/') == std::string_view::npos;
}

base::Result<ParsedSlash> parse_slash(std::string_view text) {
  const auto [name, argument] = split(text);
  const auto* command =
      std::find_if(kCommands.begin(), kCommands.end(), [wanted = name](const auto& row) { return row.name == wanted; });
  const std::string shown(base::cut_utf8(name, 40));
  if (command == kCommands.end()) {
    const std::string near = nearest(name);
    return base::fail(near.empty() ? say(Message::slash_unknown, {shown})
                                   : say(Message::slash_unknown_near, {shown, near}));
  }
  if (command->argument.empty() && !argument.empty())
    return base::fail(say(Message::slash_no_argument, {command->name}));
  if (command->needs_argument && argument.empty())
    return base::fail(say(Message::slash_wants_argument, {command->name, command->argument}));
  return ParsedSlash{command->id, std::string(argument)};
}

std::string slash_help() {
  std::string lines;
  for (const auto& command : kCommands) {
    std::string usage = "/" + std::string(command.name);
    if (!command.argument.empty()) usage += " " + std::string(command.argument);
    if (usage.size() < 28) usage.resize(28, ' ');
    lines += usage + say(command.help) + "\n";
  }
  return lines + say(Message::slash_help_keys);
}

}  // namespace panel
