#include "app/assistant/assistant.h"

#include <pwd.h>
#include <unistd.h>

#include <ctime>
#include <utility>

#include "app/assistant/assistant_parts.h"
#include "app/assistant/redacting_tool.h"
#include "app/assistant/secret_commands.h"
#include "app/assistant/skill_roots.h"
#include "app/config/state_dir.h"
#include "local_exec/local_command_tool.h"
#include "model/anthropic_client.h"
#include "model/openai_client.h"
#include "remote_exec/output_store.h"
#include "remote_exec/reading_tools.h"
#include "skills/load_skill_tool.h"
#include "skills/offline_client.h"

namespace app {
namespace {

constexpr std::chrono::hours kOutputsKept{7 * 24};

std::string operators_name() {
  const passwd* entry = getpwuid(getuid());
  return entry ? entry->pw_name : "";
}

/// A command that is not run at all, told from the event loop as any other end.
class NotRun final : public agent::Tool::Run {
 public:
  NotRun(agent::Clock& clock, std::string why, std::function<void(remote_exec::CommandResult)> done) {
    alarm_ = clock.after(std::chrono::milliseconds(0), [why = std::move(why), done = std::move(done)] {
      remote_exec::CommandResult result;
      result.status = remote_exec::Status::rejected;
      result.reason = remote_exec::Reason::refused;
      result.note_for_model = result.note_for_operator = "not run: " + why;
      done(std::move(result));
    });
  }

 private:
  std::unique_ptr<agent::Clock::Alarm> alarm_;
};

}  // namespace

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z", std::localtime(&now));
  return text;
}

Assistant::Assistant(event::EventLoop& loop, Options options, ModelSetup setup, Surroundings surroundings)
    : loop_(loop),
      options_(std::move(options)),
      setup_(std::move(setup)),
      surroundings_(std::move(surroundings)),
      parts_(std::make_unique<Parts>(loop, skill_roots(), options_.settings.hooks)) {}

Assistant::~Assistant() = default;

base::Result<void> Assistant::open() {
  auto state = state_dir();
  if (!state) return base::fail(state.error());
  auto redactor = safety::Redactor::create(options_.settings.redaction);
  if (!redactor) return base::fail(redactor.error());
  parts_->redactor.emplace(std::move(*redactor));
  auto log = safety::AuditLog::open({.directory = *state + "/audit"});
  if (!log) return base::fail(log.error());
  const auto redact = [parts = parts_.get()](std::string_view text) { return parts->redact(text, ""); };
  parts_->audit =
      std::make_unique<AuditBridge>(std::move(*log), options_.target, operators_name(), model_name(), redact);
  if (auto opened = open_conversation(options_.resume_id); !opened) return opened;
  if (options_.settings.where.name.empty()) options_.settings.where.name = options_.target;
  parts_->policy = std::make_unique<RulesPolicy>(RulesPolicy::Options{.target = options_.settings.where,
                                                                      .user = options_.settings.user,
                                                                      .permissions = options_.settings.permissions,
                                                                      .rules_path = options_.settings.rules_path,
                                                                      .headless = options_.headless,
                                                                      .allow_changes = options_.allow_changes});
  make_client();
  make_tools();
  if (!options_.outputs.empty()) remote_exec::forget_old_outputs(options_.outputs, kOutputsKept);
  return {};
}

base::Result<void> Assistant::open_conversation(const std::string& resume_id) {
  const auto state = state_dir();
  if (!state) return base::fail(state.error());
  parts_->created = time_now();
  const auto redact = [parts = parts_.get()](std::string_view text) { return parts->redact(text, ""); };
  agent::SessionStore::Options options{*state + "/sessions", options_.target, parts_->created, redact,
                                       [this](const base::Error& why) { tell_not_kept(why.message); }};
  auto conversation = std::make_unique<agent::Conversation>();
  std::string id;
  if (!resume_id.empty()) {
    const auto kept = agent::load_session(options.directory, resume_id);
    if (!kept) return base::fail(kept.error());
    conversation->restore(kept->messages);
    id = kept->info.id;
  }
  auto store = id.empty() ? agent::SessionStore::create(options) : agent::SessionStore::resume(options, id);
  if (!store) return base::fail(store.error());
  exchange_.reset();  // It speaks to the conversation that goes.
  parts_->conversation = std::move(conversation);
  parts_->store = std::move(*store);
  parts_->conversation->set_journal(parts_->store.get());
  return {};
}

void Assistant::make_client() {
  // Our own key is masked by exact match, whatever it looks like.
  for (const auto& key : {setup_.settings.api_key, setup_.settings.auth_token})
    if (!key.empty()) parts_->redactor->add_literal("model-key", key);
  switch (setup_.provider) {
    case Provider::anthropic:
      parts_->client = std::make_unique<model::AnthropicClient>(loop_, setup_.settings);
      break;
    case Provider::openai:
      parts_->client = std::make_unique<model::OpenAiClient>(loop_, setup_.settings);
      break;
    case Provider::offline:
      parts_->client = std::make_unique<skills::OfflineClient>(
          parts_->skills, parts_->clock, options_.target == "local" ? "this machine" : options_.target);
      break;
  }
}

/// A command of the model's, on its way to the target: placeholders become secrets of that host again, and what comes
/// back is masked before anything keeps it.
std::unique_ptr<agent::Tool::Run> Assistant::run_command(remote_exec::ExecRequest request,
                                                         std::function<void(remote_exec::CommandResult)> done) {
  Parts* parts = parts_.get();
  auto command = with_secrets(request.command, parts->secrets, options_.target);
  if (!command) return std::make_unique<NotRun>(parts->clock, command.error().message, std::move(done));
  request.command = std::move(*command);
  request.output_filter = std::make_shared<RedactingFilter>(*parts->redactor, parts->secrets, options_.target);
  return surroundings_.run(
      std::move(request), [parts, target = options_.target, done = std::move(done)](remote_exec::CommandResult result) {
        result.output = parts->redact(result.output, target);
        result.note_for_model = parts->redact(result.note_for_model, target);
        done(std::move(result));
      });
}

void Assistant::make_tools() {
  Parts* parts = parts_.get();
  auto& tools = parts->tools;
  const auto run = [this](remote_exec::ExecRequest request, std::function<void(remote_exec::CommandResult)> done) {
    return run_command(std::move(request), std::move(done));
  };
  tools.push_back(std::make_unique<remote_exec::ExecuteCommandTool>(
      run, command_classifier(), remote_exec::ExecuteCommandTool::Options{.attended = !options_.headless}));
  const auto add_redacted = [&tools, parts](std::unique_ptr<agent::Tool> tool, const std::string& origin) {
    tools.push_back(std::make_unique<RedactingTool>(
        std::move(tool), [parts, origin](std::string_view text) { return parts->redact(text, origin); }));
  };
  add_redacted(std::make_unique<remote_exec::ReadOutputTool>(parts->clock, options_.outputs), options_.target);
  add_redacted(std::make_unique<remote_exec::ReadTerminalTool>(parts->clock, surroundings_.screen), options_.target);
  // What stands on the operator's machine is no secret of the target's: its placeholders are never put back there.
  if (!parts->skills.empty() || options_.settings.always_local_command)
    add_redacted(std::make_unique<local_exec::LocalCommandTool>(loop_, command_classifier(),
                                                                local_exec::LocalCommandTool::Options{}),
                 "");
  if (!parts->skills.empty()) tools.push_back(std::make_unique<skills::LoadSkillTool>(parts->skills, parts->clock));
}

agent::Question Assistant::compose(const std::string& text) {
  agent::Question question;
  // A password in the question is one of the target's: the model may use it there, by its placeholder.
  question.text = parts_->redact(text, options_.target);
  question.facts.target = options_.target;
  question.facts.user = options_.settings.user;
  question.facts.time = time_now();
  if (surroundings_.shell) question.facts.shell = surroundings_.shell();
  const auto& screen = surroundings_.screen();
  question.facts.size = screen.size();
  question.terminal = parts_->redact(screen.text(screen.first_line(), screen.end_line()), options_.target);
  question.records = std::exchange(parts_->records, {});
  question.attachments = std::exchange(parts_->attachments, {});
  return question;
}

void Assistant::make_agent() {
  std::vector<agent::Tool*> offered;
  for (const auto& tool : parts_->tools) offered.push_back(tool.get());
  const auto& settings = options_.settings;
  agent::Agent::Options options;
  options.max_rounds = settings.max_rounds;
  options.time_limit = settings.time_limit;
  options.max_cost_usd = settings.max_cost_usd;
  options.max_total_tokens = settings.max_total_tokens;
  options.context = settings.context;
  options.model = setup_.settings.model;
  options.model_info = setup_.settings.models.find(setup_.settings.model);
  options.prompt.skills_index =
      parts_->skills.index_text(skills::SkillIndex::budget_for(options.model_info.context_window));
  agent_ = std::make_unique<agent::Agent>(
      agent::Agent::Parts{*parts_->client, offered, *parts_->policy, parts_->clock,
                          settings.hooks.empty() ? nullptr : &parts_->hooks, parts_->audit.get()},
      options);
}

/// New and changed skills are a reminder for the model; broken ones one line for the operator, at the start.
void Assistant::tell_about_skills(agent::Observer& observer) {
  if (const auto changed = parts_->skills.refresh(); !changed.empty())
    parts_->conversation->reminders.set(agent::ReminderKind::skill_change, changed);
  if (std::exchange(parts_->skills_told, true)) return;
  std::size_t broken = 0;
  std::string first;
  for (const auto& problem : parts_->skills.problems())
    if (problem.fatal && broken++ == 0) first = problem.path + ": " + problem.text;
  if (broken == 0) return;
  std::string line = broken == 1 ? "A skill cannot be used: " + first
                                 : std::to_string(broken) + " skills cannot be used; the first is " + first;
  parts_->notice = parts_->clock.after(std::chrono::milliseconds(0), [&observer, line = std::move(line)] {
    observer.on_notice(line + " (`jms skills check` says more)");
  });
}

/// The answer is not held up by a full disk; but who counts on the records must know.
void Assistant::tell_not_kept(const std::string& why) {
  if (!parts_->listener) return;
  parts_->not_kept = parts_->clock.after(std::chrono::milliseconds(0), [listener = parts_->listener, why] {
    listener->on_notice("This conversation is not kept from here on: " + why);
  });
}

void Assistant::ask(const std::string& question, agent::Observer& observer) {
  parts_->listener = &observer;
  tell_about_skills(observer);
  make_agent();
  exchange_ = agent_->ask(*parts_->conversation, compose(question), observer);
}

void Assistant::cancel() {
  if (busy()) exchange_->cancel();
}

void Assistant::add_input(const std::string& text) {
  if (busy()) exchange_->add_input(parts_->redact(text, options_.target));
}

}  // namespace app
