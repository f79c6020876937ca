// What the operator's own commands look at and change: mode, model, conversation, records.

#include <algorithm>
#include <utility>

#include "app/assistant/assistant.h"
#include "app/assistant/assistant_parts.h"
#include "app/config/state_dir.h"

namespace app {

std::string shell_fact(const remote_exec::ShellMemory& memory) {
  if (!memory.dialect) return {};
  return std::string(remote_exec::shell_name(memory.dialect->shell)) +
         (memory.dialect->hook ? ", framing: hook" : ", framing: line");
}

void Assistant::add_shell_record(agent::ShellRecord record) {
  // They ran on the operator's machine: what is secret there is never put back into a command on the target.
  record.command = parts_->redact(record.command, "");
  record.output = parts_->redact(record.output, "");
  parts_->records.push_back(std::move(record));
}

void Assistant::attach(std::string name, std::string text) {
  parts_->attachments.push_back({std::move(name), parts_->redact(text, options_.target)});
}

safety::Mode Assistant::mode() const {
  return parts_->policy->effective_mode();
}

safety::Mode Assistant::set_mode(safety::Mode mode) {
  parts_->policy->set_mode(mode);
  return parts_->policy->effective_mode();
}

bool Assistant::production() const {
  return parts_->policy->production();
}

void Assistant::set_place(safety::Target where) {
  options_.settings.where = where;
  parts_->policy->set_target(std::move(where));
}

const safety::PermissionRules& Assistant::permissions() const {
  return parts_->policy->permissions();
}

std::string Assistant::model_name() const {
  std::string name(name_of(setup_.provider));
  if (!setup_.settings.model.empty()) name += " " + setup_.settings.model;
  return name;
}

base::Result<void> Assistant::must_be_idle() const {
  if (busy()) return base::fail("the assistant is working; stop it first (Ctrl+C)");
  return {};
}

base::Result<void> Assistant::set_model(ModelSetup setup) {
  if (auto idle = must_be_idle(); !idle) return idle;
  exchange_.reset();
  agent_.reset();
  setup_ = std::move(setup);
  make_client();
  parts_->audit->set_model(model_name());
  return {};
}

base::Result<void> Assistant::set_model(const std::string& name) {
  if (setup_.provider == Provider::offline)
    return base::fail("the offline engine has no models; set a key, see `jms doctor`");
  ModelSetup setup = setup_;
  setup.settings.model = name;
  return set_model(std::move(setup));
}

Assistant::Figures Assistant::figures() const {
  const auto& conversation = *parts_->conversation;
  const auto info = setup_.settings.models.find(setup_.settings.model);
  Figures figures;
  figures.usage = conversation.usage();
  figures.cost_usd = model::cost_of(conversation.usage(), info);
  figures.context_tokens = conversation.messages().empty() ? 0 : conversation.estimated_tokens();
  figures.context_window = info.context_window;
  figures.messages = conversation.messages().size();
  figures.questions = static_cast<std::size_t>(
      std::count_if(conversation.messages().begin(), conversation.messages().end(), agent::begins_question));
  figures.compactions = conversation.boundaries().size();
  return figures;
}

base::Result<void> Assistant::clear() {
  if (auto idle = must_be_idle(); !idle) return idle;
  parts_->records.clear();
  parts_->attachments.clear();
  return open_conversation("");
}

base::Result<void> Assistant::compact(agent::Observer& observer) {
  if (auto idle = must_be_idle(); !idle) return idle;
  if (setup_.provider == Provider::offline)
    return base::fail("the offline engine writes no summaries; clear the conversation instead");
  make_agent();
  exchange_ = agent_->compact(*parts_->conversation, observer);
  return {};
}

std::string Assistant::export_conversation(ExportFormat format) const {
  agent::StoredSession session;
  session.info = {.id = parts_->store->id(), .created = parts_->created, .target = options_.target};
  session.messages = parts_->conversation->messages();
  session.boundaries = parts_->conversation->boundaries();
  return format == ExportFormat::markdown ? agent::export_markdown(session) : agent::export_json(session);
}

std::optional<std::string> Assistant::unrecorded() const {
  return parts_->audit ? parts_->audit->failure() : std::nullopt;
}

const std::string& Assistant::session_id() const {
  return parts_->store->id();
}

base::Result<std::vector<agent::SessionInfo>> Assistant::sessions() const {
  return agent::list_sessions(state_dir_path() + "/sessions");
}

base::Result<void> Assistant::resume(const std::string& id) {
  if (auto idle = must_be_idle(); !idle) return idle;
  return open_conversation(id);
}

const skills::SkillIndex& Assistant::skills() const {
  return parts_->skills;
}

}  // namespace app
