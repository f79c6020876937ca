#include "app/safety_bridge.h"

#include <utility>

namespace app {
namespace {

agent::Effect effect_of(safety::CommandClass cls) {
  switch (cls) {
    case safety::CommandClass::ReadOnly:
      return agent::Effect::read_only;
    case safety::CommandClass::Changes:
      return agent::Effect::changes;
    case safety::CommandClass::Destructive:
      return agent::Effect::destructive;
  }
  return agent::Effect::destructive;
}

agent::DecidedBy decided_by(const std::string& who) {
  return who == "rule" ? agent::DecidedBy::rule : agent::DecidedBy::policy;
}

std::string_view event_name(agent::AuditEntry::Event event) {
  switch (event) {
    case agent::AuditEntry::Event::start:
      return "start";
    case agent::AuditEntry::Event::end:
      return "end";
    case agent::AuditEntry::Event::refused:
      return "refused";
  }
  return "refused";
}

}  // namespace

agent::CommandClassifier command_classifier() {
  return [](std::string_view command) -> agent::Classification {
    const auto verdict = safety::CommandClassifier().classify(command);
    return {verdict.refused ? agent::Effect::destructive : effect_of(verdict.cls), verdict.reason};
  };
}

RulesPolicy::RulesPolicy(Options options) : options_(std::move(options)) {
  rules_.set_mode(options_.mode);
}

agent::Mode RulesPolicy::mode() const {
  switch (rules_.mode_for(options_.target)) {
    case safety::Mode::ReadOnly:
      return agent::Mode::read_only;
    case safety::Mode::Ask:
      return agent::Mode::ask;
    case safety::Mode::Auto:
      return agent::Mode::automatic;
  }
  return agent::Mode::read_only;
}

agent::Decision RulesPolicy::decide(const agent::ApprovalRequest& request) {
  // Tools that run no command only read what jms holds; the safety room has nothing to say about them.
  if (request.classification.effect == agent::Effect::read_only && request.tool != "execute_command" &&
      request.tool != "local_command")
    return agent::Decision::allow();
  safety::PermissionRequest asked;
  asked.tool = request.tool;
  asked.command = request.subject;
  asked.target = options_.target;
  asked.tainted = request.tainted;
  const auto permission = rules_.decide(asked);
  agent::Decision decision;
  decision.by = decided_by(permission.decided_by);
  decision.reason = permission.reason;
  switch (permission.answer) {
    case safety::Permission::Answer::Run:
      decision.kind = agent::Decision::Kind::allow;
      break;
    case safety::Permission::Answer::Refuse:
      decision.kind = agent::Decision::Kind::deny;
      break;
    case safety::Permission::Answer::Ask:
    case safety::Permission::Answer::AskTwice:
      decision.kind = agent::Decision::Kind::ask;
      break;
  }
  if (decision.kind != agent::Decision::Kind::ask || !options_.headless) return decision;
  const bool destructive = permission.answer == safety::Permission::Answer::AskTwice;
  const bool local_after_remote = request.tainted && request.tool == "local_command";
  const bool allowed = options_.allow_changes && !destructive && !local_after_remote;
  decision.kind = allowed ? agent::Decision::Kind::allow : agent::Decision::Kind::deny;
  if (!allowed) decision.reason = "nobody is there to ask, and this needs asking: " + permission.reason;
  return decision;
}

AuditBridge::AuditBridge(safety::AuditLog log, std::string target, std::string user, std::string model,
                         std::function<std::string(std::string_view)> redact)
    : log_(std::move(log)),
      target_(std::move(target)),
      user_(std::move(user)),
      model_(std::move(model)),
      redact_(std::move(redact)) {}

base::Result<void> AuditBridge::record(const agent::AuditEntry& entry) {
  safety::AuditRecord record;
  record.event = event_name(entry.event);
  record.target = entry.tool == "local_command" ? "local machine" : target_;
  record.user = user_;
  record.command = redact_(entry.subject);
  record.cls = agent::name_of(entry.classification.effect);
  record.decision = entry.event == agent::AuditEntry::Event::refused ? "denied" : "allowed";
  record.decided_by = agent::name_of(entry.by);
  record.question = redact_(entry.question);
  record.model = model_;
  if (entry.event == agent::AuditEntry::Event::end) {
    const auto code = entry.details.find("exit_code");
    if (code != entry.details.end() && code->is_number_integer()) record.exit_code = code->get<int>();
    const auto duration = entry.details.find("duration_ms");
    if (duration != entry.details.end() && duration->is_number()) record.duration_ms = duration->get<std::int64_t>();
    record.output_sha256 = safety::sha256_hex(entry.output);
    record.output_bytes = static_cast<std::int64_t>(entry.output.size());
  }
  return log_.append(record);
}

}  // namespace app
