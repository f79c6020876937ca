#include "app/assistant/slash_commands.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <utility>

#include "app/assistant/skill_roots.h"
#include "app/config/state_dir.h"
#include "app/session/panel_mode.h"
#include "base/unique_fd.h"
#include "base/utf8.h"
#include "base/write_all.h"
#include "panel/messages.h"
#include "safety/audit_log.h"
#include "safety/sanitizer.h"

namespace app {
namespace {

using panel::Message;
using panel::say;
using panel::Slash;

constexpr std::size_t kListed = 20;       ///< Sessions and audit records that are shown.
constexpr std::size_t kRecalled = 4'000;  ///< Bytes of a resumed conversation that are shown.
constexpr std::chrono::milliseconds kDoctorLimit{60'000};

std::string number(long long value) {
  std::string digits = std::to_string(value);
  for (auto at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string dollars(const std::optional<double>& cost) {
  if (!cost) return say(Message::cost_unknown);
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "$%.4f", *cost);
  return text.data();
}

std::string padded(std::string text, int width) {
  while (base::text_width(text) < width) text += ' ';
  return text;
}

std::string list_skills(const skills::SkillIndex& index) {
  std::string lines;
  for (const auto& skill : index.skills())
    lines += padded(skill.name, 24) + " " + safety::sanitize_line(skill.front.description) + "\n";
  for (const auto& problem : index.problems())
    lines += problem.path + ": " + safety::sanitize_line(problem.text) + "\n";
  return lines.empty() ? say(Message::skills_none) : lines;
}

std::string list_sessions(const std::vector<agent::SessionInfo>& sessions) {
  std::string lines;
  for (const auto& session : sessions) {
    if (std::count(lines.begin(), lines.end(), '\n') >= static_cast<std::ptrdiff_t>(kListed)) break;
    lines += session.id + "  " + session.created + "  " + safety::sanitize_line(session.target) + "  " +
             safety::sanitize_line(base::cut_utf8(session.title, 80)) + "\n";
  }
  return lines.empty() ? say(Message::sessions_none) : lines;
}

base::Result<std::string> list_audit() {
  const auto records = safety::read_audit(state_dir_path() + "/audit");
  if (!records || records->empty()) return say(Message::audit_none);
  std::string lines;
  const std::size_t from = records->size() - std::min(records->size(), kListed);
  for (std::size_t at = from; at < records->size(); ++at) {
    const auto& record = (*records)[at];
    const auto text = [&record](const char* key) {
      return record.contains(key) && record[key].is_string() ? record[key].get<std::string>() : std::string();
    };
    std::string line = text("time") + "  " + padded(text("event"), 7) + "  " + text("target") + "  " + text("class") +
                       "  " + text("decision") + " (" + text("decided_by") + ")  " + text("command");
    if (record.contains("exit_code") && record["exit_code"].is_number()) line += "  → " + record["exit_code"].dump();
    lines += safety::sanitize_line(line) + "\n";
  }
  return lines;
}

std::string list_hooks(const std::vector<agent::Hook>& hooks) {
  std::string lines;
  for (const auto& hook : hooks)
    lines += padded(std::string(agent::name_of(hook.event)), 16) + " " + safety::sanitize_line(hook.command) + "\n";
  return lines.empty() ? say(Message::hooks_none) : lines;
}

std::string cost_text(const Assistant::Figures& figures) {
  const auto& usage = figures.usage;
  return say(Message::cost_figures, {number(usage.input), number(usage.cache_read), number(usage.cache_write),
                                     number(usage.output), dollars(figures.cost_usd)});
}

std::string context_text(const Assistant::Figures& figures) {
  const long percent = figures.context_window > 0 ? figures.context_tokens * 100 / figures.context_window : 0;
  return say(Message::context_figures, {number(figures.context_tokens), number(figures.context_window),
                                        std::to_string(percent), std::to_string(figures.messages),
                                        std::to_string(figures.questions), std::to_string(figures.compactions)});
}

std::string file_stamp() {
  const std::time_t now = std::time(nullptr);
  std::array<char, 32> text;
  std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", std::localtime(&now));
  return text.data();
}

base::Result<void> write_new(const std::string& path, std::string_view text) {
  const base::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) return base::fail_errno("writing " + path);
  return base::write_all(file.get(), text, path);
}

std::string shell_word(const std::string& word) {
  std::string text = "'";
  for (const char byte : word) text += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
  return text + "'";
}

}  // namespace

SlashCommands::SlashCommands(event::EventLoop& loop, std::string config_path, panel::Panel& panel,
                             Surroundings surroundings)
    : loop_(loop), config_path_(std::move(config_path)), panel_(panel), surroundings_(std::move(surroundings)) {
  offer_choices();
}

/// What completion offers behind the commands; looked up when it is asked for.
void SlashCommands::offer_choices() {
  auto& completer = panel_.input().completer();
  completer.set_choices(panel::Argument::skill, [index = std::shared_ptr<skills::SkillIndex>()]() mutable {
    if (!index) index = std::make_shared<skills::SkillIndex>(skill_roots());
    std::vector<panel::Candidate> choices;
    for (const auto& skill : index->skills())
      choices.push_back({skill.name, safety::sanitize_line(skill.front.description)});
    return choices;
  });
  completer.set_choices(panel::Argument::session, [] {
    std::vector<panel::Candidate> choices;
    if (const auto sessions = agent::list_sessions(state_dir_path() + "/sessions"))
      for (const auto& session : *sessions)
        if (choices.size() < kListed)
          choices.push_back({session.id, safety::sanitize_line(session.target + ": " + session.title)});
    return choices;
  });
}

void SlashCommands::say_line(const std::string& text) {
  std::string shown = text;
  while (shown.ends_with('\n')) shown.pop_back();
  panel_.add(panel::Speaker::notice, shown);
  surroundings_.changed();
}

void SlashCommands::run(const std::string& text) {
  const auto command = panel::parse_slash(text);
  if (!command) return say_line(command.error().message);
  const auto said = answer(*command);
  if (!said) return say_line(said.error().message);
  if (!said->empty()) say_line(*said);
}

base::Result<std::string> SlashCommands::answer(const panel::ParsedSlash& command) {
  switch (command.id) {
    case Slash::help:
      return panel::slash_help();
    case Slash::audit:
      return list_audit();
    case Slash::theme:
      return theme(command.argument);
    case Slash::doctor:
      return doctor();
    case Slash::quit:
      surroundings_.quit();
      return std::string();
    default:
      break;
  }
  const auto assistant = surroundings_.assistant();
  if (!assistant) return base::fail(assistant.error());
  return with_assistant(command, **assistant);
}

base::Result<std::string> SlashCommands::with_assistant(const panel::ParsedSlash& command, Assistant& assistant) {
  switch (command.id) {
    case Slash::skills:
      return list_skills(assistant.skills());
    case Slash::skill:
      return skill(assistant, command.argument);
    case Slash::model:
      return model(assistant, command.argument);
    case Slash::mode:
      return mode(assistant, command.argument);
    case Slash::clear:
      return clear(assistant);
    case Slash::compact:
      if (auto begun = assistant.compact(*surroundings_.observer); !begun) return base::fail(begun.error());
      return std::string();
    case Slash::cost:
      return cost_text(assistant.figures());
    case Slash::context:
      return context_text(assistant.figures());
    case Slash::export_:
      return export_to_file(assistant, command.argument);
    case Slash::sessions: {
      const auto sessions = assistant.sessions();
      if (!sessions) return base::fail(sessions.error());
      return list_sessions(*sessions);
    }
    case Slash::resume:
      return resume(assistant, command.argument);
    case Slash::hooks:
      return list_hooks(assistant.hooks());
    default:
      return std::string();
  }
}

base::Result<std::string> SlashCommands::skill(Assistant& assistant, const std::string& name) {
  const auto* found = assistant.skills().find(name);
  if (!found) return base::fail(say(Message::skill_unknown, {name}));
  surroundings_.ask("Follow the skill `" + found->name + "` now: load it and report what you find.");
  return std::string();
}

base::Result<std::string> SlashCommands::model(Assistant& assistant, const std::string& name) {
  if (!name.empty())
    if (auto set = assistant.set_model(name); !set) return base::fail(set.error());
  panel_.status().model = assistant.model_name();
  return say(Message::model_is, {assistant.model_name()});
}

base::Result<std::string> SlashCommands::mode(Assistant& assistant, const std::string& name) {
  if (!name.empty()) {
    const auto wanted = safety::mode_named(name);
    if (!wanted) return base::fail(wanted.error());
    const safety::Mode held = assistant.set_mode(*wanted);
    panel_.status().mode = panel_mode(held, assistant.production());
    if (held != *wanted) return say(Message::mode_held, {safety::name_of(held), name});
  }
  return say(Message::mode_is, {safety::name_of(assistant.mode())});
}

base::Result<std::string> SlashCommands::clear(Assistant& assistant) {
  if (auto cleared = assistant.clear(); !cleared) return base::fail(cleared.error());
  panel_.conversation().clear();
  panel_.status().context_percent.reset();
  return say(Message::cleared);
}

base::Result<std::string> SlashCommands::export_to_file(const Assistant& assistant, const std::string& format) const {
  if (!format.empty() && format != "md" && format != "json") return base::fail(say(Message::export_formats, {format}));
  if (assistant.figures().messages == 0) return base::fail(say(Message::export_nothing));
  const bool json = format == "json";
  const auto kind = json ? Assistant::ExportFormat::json : Assistant::ExportFormat::markdown;
  // Beside the operator's other files: it is for somebody to read.
  std::error_code error;
  const std::string path =
      std::filesystem::current_path(error).string() + "/jms-" + file_stamp() + (json ? ".json" : ".md");
  const std::string text = assistant.export_conversation(kind);
  if (auto written = write_new(path, text); !written) return base::fail(written.error());
  return say(Message::exported, {path});
}

base::Result<std::string> SlashCommands::resume(Assistant& assistant, const std::string& id) {
  std::string wanted = id;
  if (wanted.empty()) {
    const auto sessions = assistant.sessions();
    if (!sessions) return base::fail(sessions.error());
    for (const auto& session : *sessions)
      if (wanted.empty() && session.id != assistant.session_id()) wanted = session.id;
    if (wanted.empty()) return base::fail(say(Message::sessions_none));
  }
  if (auto resumed = assistant.resume(wanted); !resumed) return base::fail(resumed.error());
  panel_.conversation().clear();
  if (const auto stored = agent::load_session(state_dir_path() + "/sessions", assistant.session_id())) {
    std::string told = safety::sanitize(agent::describe_session(*stored));
    if (told.size() > kRecalled) told = "…" + told.substr(told.find('\n', told.size() - kRecalled));
    say_line(told);
  }
  return say(Message::resumed, {assistant.session_id()});
}

base::Result<std::string> SlashCommands::theme(const std::string& name) {
  const auto wanted = panel::theme_named(name);
  if (!wanted) return base::fail(say(Message::theme_choices));
  panel_.set_theme(*wanted);
  return say(Message::theme_is, {name});
}

/// The same checks as `jms doctor`, by the same program: what it says here is
/// what it says there.
base::Result<std::string> SlashCommands::doctor() {
  local_exec::Subprocess::Options options;
  // This very program, also when an update has replaced its file meanwhile.
  options.command = "/proc/" + std::to_string(::getpid()) + "/exe";
  if (!config_path_.empty()) options.command += " --config " + shell_word(config_path_);
  options.command += " doctor";
  options.timeout = kDoctorLimit;
  auto started = local_exec::Subprocess::start(
      loop_, options, {.on_done = [this](const local_exec::CommandResult& result) {
        say_line(safety::sanitize(result.output));
        // This is the process's own last call: it goes when that has returned.
        loop_.defer([over = std::shared_ptr<local_exec::Subprocess>(std::move(doctor_))] {});
      }});
  if (!started) return base::fail(started.error());
  doctor_ = std::move(*started);
  return say(Message::doctor_running);
}

}  // namespace app
