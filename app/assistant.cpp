#include "app/assistant.h"

#include <pwd.h>
#include <unistd.h>

#include <ctime>
#include <optional>
#include <utility>

#include "app/redacting_tool.h"
#include "app/safety_bridge.h"
#include "app/skill_roots.h"
#include "app/state_dir.h"
#include "local_exec/local_command_tool.h"
#include "model/anthropic_client.h"
#include "model/openai_client.h"
#include "remote_exec/reading_tools.h"
#include "skills/load_skill_tool.h"
#include "skills/offline_client.h"

namespace app {
namespace {

std::string operators_name() {
  const passwd* entry = getpwuid(getuid());
  return entry ? entry->pw_name : "";
}

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z", std::localtime(&now));
  return text;
}

}  // namespace

/// What the agent stands on, in the order in which it is torn down backwards.
struct Assistant::Parts {
  explicit Parts(event::EventLoop& loop, std::vector<skills::Root> roots) : clock(loop), skills(std::move(roots)) {}

  std::optional<safety::Redactor> redactor;
  safety::SecretBook secrets;
  agent::LoopClock clock;
  skills::SkillIndex skills;
  std::unique_ptr<RulesPolicy> policy;
  std::unique_ptr<AuditBridge> audit;
  std::unique_ptr<agent::SessionStore> store;
  std::unique_ptr<model::ModelClient> client;
  std::vector<std::unique_ptr<agent::Tool>> tools;
  agent::Conversation conversation;

  std::string redact(std::string_view text, std::string_view origin) { return redactor->redact(text, secrets, origin); }
};

Assistant::Assistant(event::EventLoop& loop, Options options, ModelSetup setup, Surroundings surroundings)
    : loop_(loop),
      options_(std::move(options)),
      setup_(std::move(setup)),
      surroundings_(std::move(surroundings)),
      parts_(std::make_unique<Parts>(loop, skill_roots())) {}

Assistant::~Assistant() = default;

std::string Assistant::model_name() const {
  std::string name(name_of(setup_.provider));
  if (!setup_.settings.model.empty()) name += " " + setup_.settings.model;
  return name;
}

base::Result<void> Assistant::open() {
  auto state = state_dir();
  if (!state) return base::fail(state.error());
  auto redactor = safety::Redactor::create();
  if (!redactor) return base::fail(redactor.error());
  parts_->redactor.emplace(std::move(*redactor));
  // Our own key is masked by exact match, whatever it looks like.
  for (const auto& key : {setup_.settings.api_key, setup_.settings.auth_token})
    if (!key.empty()) parts_->redactor->add_literal("model-key", key);
  auto log = safety::AuditLog::open({.directory = *state + "/audit"});
  if (!log) return base::fail(log.error());
  const auto redact = [parts = parts_.get()](std::string_view text) { return parts->redact(text, ""); };
  parts_->audit =
      std::make_unique<AuditBridge>(std::move(*log), options_.target, operators_name(), model_name(), redact);
  agent::SessionStore::Options store{*state + "/sessions", options_.target, time_now(), redact};
  if (!options_.resume_id.empty()) {
    const auto kept = agent::load_session(store.directory, options_.resume_id);
    if (!kept) return base::fail(kept.error());
    parts_->conversation.restore(kept->messages);
  }
  auto made = options_.resume_id.empty() ? agent::SessionStore::create(store)
                                         : agent::SessionStore::resume(store, options_.resume_id);
  if (!made) return base::fail(made.error());
  parts_->store = std::move(*made);
  parts_->conversation.set_journal(parts_->store.get());
  safety::Target place = options_.place;
  if (place.name.empty()) place.name = options_.target;
  parts_->policy = std::make_unique<RulesPolicy>(RulesPolicy::Options{
      .target = place, .mode = options_.mode, .headless = options_.headless, .allow_changes = options_.allow_changes});
  make_client();
  make_tools();
  return {};
}

void Assistant::make_client() {
  switch (setup_.provider) {
    case Provider::anthropic:
      parts_->client = std::make_unique<model::AnthropicClient>(loop_, setup_.settings);
      break;
    case Provider::openai:
      parts_->client = std::make_unique<model::OpenAiClient>(loop_, setup_.settings);
      break;
    case Provider::offline:
      parts_->client = std::make_unique<skills::OfflineClient>(parts_->skills, parts_->clock);
      break;
  }
}

void Assistant::make_tools() {
  Parts* parts = parts_.get();
  const auto run = [parts, target = options_.target, inner = surroundings_.run](
                       remote_exec::ExecRequest request, std::function<void(remote_exec::CommandResult)> done) {
    // A placeholder the model was given stands for a secret of this host: only here does it become the secret again.
    if (auto restored = parts->secrets.restore(request.command, target)) request.command = *restored;
    return inner(std::move(request), [parts, target, done = std::move(done)](remote_exec::CommandResult result) {
      result.output = parts->redact(result.output, target);
      done(std::move(result));
    });
  };
  auto& tools = parts->tools;
  tools.push_back(std::make_unique<remote_exec::ExecuteCommandTool>(
      run, command_classifier(), remote_exec::ExecuteCommandTool::Options{.attended = !options_.headless}));
  const auto add_redacted = [&tools, parts](std::unique_ptr<agent::Tool> tool, const std::string& origin) {
    tools.push_back(std::make_unique<RedactingTool>(
        std::move(tool), [parts, origin](std::string_view text) { return parts->redact(text, origin); }));
  };
  add_redacted(std::make_unique<remote_exec::ReadOutputTool>(parts->clock, options_.outputs), options_.target);
  add_redacted(std::make_unique<remote_exec::ReadTerminalTool>(parts->clock, surroundings_.screen), options_.target);
  if (parts->skills.empty()) return;
  // What stands on the operator's machine is no secret of the target's: its placeholders are never put back there.
  add_redacted(std::make_unique<local_exec::LocalCommandTool>(loop_, command_classifier(),
                                                              local_exec::LocalCommandTool::Options{}),
               "");
  tools.push_back(std::make_unique<skills::LoadSkillTool>(parts->skills, parts->clock));
}

agent::Question Assistant::compose(const std::string& text) {
  agent::Question question;
  question.text = text;
  question.facts.target = options_.target;
  question.facts.time = time_now();
  const auto& screen = surroundings_.screen();
  question.facts.size = screen.size();
  question.terminal = parts_->redact(screen.text(screen.first_line(), screen.end_line()), options_.target);
  return question;
}

void Assistant::ask(const std::string& question, agent::Observer& observer) {
  std::vector<agent::Tool*> offered;
  for (const auto& tool : parts_->tools) offered.push_back(tool.get());
  agent::Agent::Options options;
  options.model = setup_.settings.model;
  options.model_info = setup_.settings.models.find(setup_.settings.model);
  options.prompt.skills_index =
      parts_->skills.index_text(skills::SkillIndex::budget_for(options.model_info.context_window));
  agent_ = std::make_unique<agent::Agent>(
      agent::Agent::Parts{*parts_->client, offered, *parts_->policy, parts_->clock, nullptr, parts_->audit.get()},
      options);
  exchange_ = agent_->ask(parts_->conversation, compose(question), observer);
}

void Assistant::cancel() {
  if (busy()) exchange_->cancel();
}

void Assistant::add_input(const std::string& text) {
  if (busy()) exchange_->add_input(text);
}

}  // namespace app
