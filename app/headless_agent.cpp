#include "app/headless_agent.h"

#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <ctime>
#include <optional>
#include <utility>

#include "app/safety_bridge.h"
#include "app/skill_roots.h"
#include "app/state_dir.h"
#include "event/signal_watch.h"
#include "local_exec/local_command_tool.h"
#include "model/anthropic_client.h"
#include "model/openai_client.h"
#include "remote_exec/exec_session.h"
#include "remote_exec/execute_command_tool.h"
#include "remote_exec/reading_tools.h"
#include "skills/load_skill_tool.h"
#include "skills/offline_client.h"

namespace app {
namespace {

constexpr base::Size kSize{40, 160};

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

/// Refuses what only a person could answer.
class NobodyThere final : public transport::SshPrompter {
 public:
  void ask(const transport::SshQuestion&, Reply reply) override { reply(std::nullopt); }
  void withdraw() override {}
};

/// A command under way in the session; destroying it interrupts the command.
class SessionRun final : public agent::Tool::Run {
 public:
  explicit SessionRun(remote_exec::ExecSession& session) : session_(session) {}
  ~SessionRun() override {
    if (!*done_) session_.stop();
  }
  std::shared_ptr<bool> done() { return done_; }

 private:
  remote_exec::ExecSession& session_;
  std::shared_ptr<bool> done_ = std::make_shared<bool>(false);
};

}  // namespace

/// What the agent stands on, in the order in which it is torn down backwards.
struct HeadlessAgent::Parts {
  explicit Parts(event::EventLoop& loop, std::vector<skills::Root> roots) : clock(loop), skills(std::move(roots)) {}

  NobodyThere nobody;
  std::string state;
  std::optional<safety::Redactor> redactor;
  safety::SecretBook secrets;
  agent::LoopClock clock;
  skills::SkillIndex skills;
  std::unique_ptr<remote_exec::ExecSession> session;
  std::unique_ptr<RulesPolicy> policy;
  std::unique_ptr<AuditBridge> audit;
  std::unique_ptr<agent::SessionStore> store;
  std::unique_ptr<model::ModelClient> client;
  std::vector<std::unique_ptr<agent::Tool>> tools;
  agent::Conversation conversation;

  std::string redact(std::string_view text, std::string_view origin) { return redactor->redact(text, secrets, origin); }
};

HeadlessAgent::HeadlessAgent(event::EventLoop& loop, Options options, ModelSetup setup)
    : loop_(loop),
      options_(std::move(options)),
      setup_(std::move(setup)),
      parts_(std::make_unique<Parts>(loop, skill_roots())) {}

HeadlessAgent::~HeadlessAgent() = default;

base::Result<void> HeadlessAgent::open(const Connection::Factory& factory) {
  if (auto opened = open_records(); !opened) return opened;
  auto transport = factory(kSize, parts_->nobody, {[](const std::string&) {}, [](const std::string&) {}, [] {}});
  if (!transport) return base::fail(transport.error());
  remote_exec::ExecSession::Settings settings;
  settings.size = kSize;
  settings.options.output.directory = parts_->state + "/outputs";
  parts_->session = std::make_unique<remote_exec::ExecSession>(loop_, std::move(*transport), settings);
  parts_->session->start();
  parts_->policy = std::make_unique<RulesPolicy>(RulesPolicy::Options{.target = {.name = options_.target},
                                                                      .mode = options_.mode,
                                                                      .headless = true,
                                                                      .allow_changes = options_.allow_changes});
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
  make_tools();
  return {};
}

base::Result<void> HeadlessAgent::open_records() {
  auto state = state_dir();
  if (!state) return base::fail(state.error());
  parts_->state = *state;
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
      std::make_unique<AuditBridge>(std::move(*log), options_.target, operators_name(),
                                    std::string(name_of(setup_.provider)) + " " + setup_.settings.model, redact);
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
  return {};
}

void HeadlessAgent::make_tools() {
  Parts* parts = parts_.get();
  const std::string target = options_.target;
  const auto run = [parts, target](
                       remote_exec::ExecRequest request,
                       std::function<void(remote_exec::CommandResult)> done) -> std::unique_ptr<agent::Tool::Run> {
    auto handle = std::make_unique<SessionRun>(*parts->session);
    // A placeholder the model was given stands for a secret of this host: only here does it become the secret again.
    if (auto restored = parts->secrets.restore(request.command, target)) request.command = *restored;
    remote_exec::RunCallbacks callbacks;
    callbacks.on_done = [parts, target, over = handle->done(), done](remote_exec::CommandResult result) {
      *over = true;
      result.output = parts->redact(result.output, target);
      done(std::move(result));
    };
    parts->session->run(std::move(request), std::move(callbacks));
    return handle;
  };
  auto& tools = parts->tools;
  tools.push_back(std::make_unique<remote_exec::ExecuteCommandTool>(
      run, command_classifier(), remote_exec::ExecuteCommandTool::Options{.attended = false}));
  tools.push_back(std::make_unique<remote_exec::ReadOutputTool>(parts->clock, parts->state + "/outputs"));
  tools.push_back(std::make_unique<remote_exec::ReadTerminalTool>(
      parts->clock, [parts]() -> const terminal::Screen& { return parts->session->screen(); }));
  if (parts->skills.empty()) return;
  tools.push_back(std::make_unique<local_exec::LocalCommandTool>(loop_, command_classifier(),
                                                                 local_exec::LocalCommandTool::Options{}));
  tools.push_back(std::make_unique<skills::LoadSkillTool>(parts->skills, parts->clock));
}

agent::Question HeadlessAgent::compose(const std::string& text) {
  agent::Question question;
  question.text = text;
  question.facts.target = options_.target;
  question.facts.time = time_now();
  question.facts.size = kSize;
  const auto& screen = parts_->session->screen();
  question.terminal = parts_->redact(screen.text(screen.first_line(), screen.end_line()), options_.target);
  return question;
}

agent::End HeadlessAgent::ask(const std::string& question, agent::Observer& observer) {
  /// Passes everything on and remembers the end.
  class Watcher final : public agent::Observer {
   public:
    Watcher(agent::Observer& inner, event::EventLoop& loop) : inner_(inner), loop_(loop) {}
    void on_turn_start(const agent::LoopState& state) override { inner_.on_turn_start(state); }
    void on_text(std::string_view text) override { inner_.on_text(text); }
    void on_thinking(std::string_view text) override { inner_.on_thinking(text); }
    void on_tool_call(const agent::ToolCall& call) override { inner_.on_tool_call(call); }
    void on_approval_wanted(const agent::ApprovalRequest& request,
                            std::function<void(agent::ApprovalAnswer)> answer) override {
      inner_.on_approval_wanted(request, std::move(answer));
    }
    void on_tool_result(const agent::ToolCall& call, const agent::ToolResult& result) override {
      inner_.on_tool_result(call, result);
    }
    void on_retry(const model::Retry& retry) override { inner_.on_retry(retry); }
    void on_stall(std::chrono::milliseconds silent) override { inner_.on_stall(silent); }
    void on_compaction(const agent::Compaction& compaction) override { inner_.on_compaction(compaction); }
    void on_usage(const agent::Spent& spent) override { inner_.on_usage(spent); }
    void on_notice(std::string_view notice) override { inner_.on_notice(notice); }
    void on_end(const agent::End& end) override {
      inner_.on_end(end);
      end_ = end;
      loop_.stop();
    }
    std::optional<agent::End> end_;

   private:
    agent::Observer& inner_;
    event::EventLoop& loop_;
  } watcher(observer, loop_);

  std::vector<agent::Tool*> offered;
  for (const auto& tool : parts_->tools) offered.push_back(tool.get());
  agent::Agent::Options options;
  options.model = setup_.settings.model;
  options.model_info = setup_.settings.models.find(setup_.settings.model);
  options.prompt.skills_index =
      parts_->skills.index_text(skills::SkillIndex::budget_for(options.model_info.context_window));
  const agent::Agent agent({*parts_->client, offered, *parts_->policy, parts_->clock, nullptr, parts_->audit.get()},
                           options);
  const auto exchange = agent.ask(parts_->conversation, compose(question), watcher);
  const event::SignalWatch interrupt(loop_, SIGINT, [&exchange] { exchange->cancel(); });
  while (!watcher.end_) loop_.run();
  return *watcher.end_;
}

}  // namespace app
