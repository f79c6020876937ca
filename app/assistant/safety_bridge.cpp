#include "app/assistant/safety_bridge.h"

#include <utility>

#include "app/assistant/rules_file.h"
#include "app/assistant/secret_commands.h"

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

constexpr const char* kSecretInRule = "the placeholder of a secret means something in this session only";

bool runs_commands(std::string_view tool) {
  return tool == "execute_command" || tool == "local_command";
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

RulesPolicy::RulesPolicy(Options options) : options_(std::move(options)) {}

agent::Mode RulesPolicy::mode() const {
  switch (effective_mode()) {
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
  using Answer = safety::Permission::Answer;
  // Tools that run no command only read what jms holds; the safety room has nothing to say about them.
  if (request.classification.effect == agent::Effect::read_only && !runs_commands(request.tool))
    return agent::Decision::allow();
  safety::PermissionRequest asked;
  asked.tool = request.tool;
  asked.command = request.subject;
  asked.target = options_.target;
  asked.tainted = request.tainted;
  const auto permission = options_.permissions.decide(asked);
  const bool secret = names_secret(request.subject);
  // What may become a denied command is not the same command every time.
  const bool known = this_session_.contains({request.tool, request.subject}) && !permission.maybe_denied;
  if (known && (permission.answer == Answer::Ask || (secret && permission.answer == Answer::Run)))
    return {agent::Decision::Kind::allow, agent::DecidedBy::rule, "the operator allowed it for this session"};
  agent::Decision decision;
  decision.by = decided_by(permission.decided_by);
  decision.reason = permission.reason;
  // A masked secret goes into a command only when somebody has seen that command, whatever the mode.
  if (secret && permission.answer == Answer::Run)
    decision.reason = "it would put a secret into the command";
  else if (permission.answer == Answer::Run)
    decision.kind = agent::Decision::Kind::allow;
  if (permission.answer == Answer::Refuse) decision.kind = agent::Decision::Kind::deny;
  if (decision.kind == agent::Decision::Kind::ask && options_.headless) return without_operator(request, permission);
  return decision;
}

agent::Decision RulesPolicy::without_operator(const agent::ApprovalRequest& request,
                                              const safety::Permission& permission) const {
  const bool destructive = permission.answer == safety::Permission::Answer::AskTwice;
  const bool local_after_remote = request.tainted && request.tool == "local_command";
  if (options_.allow_changes && !destructive && !local_after_remote && !permission.maybe_denied)
    return {agent::Decision::Kind::allow, decided_by(permission.decided_by), permission.reason};
  return {agent::Decision::Kind::deny, decided_by(permission.decided_by),
          "nobody is there to ask, and this needs asking: " + permission.reason};
}

void RulesPolicy::describe(agent::ApprovalRequest& request) const {
  const bool local = request.place == agent::Place::operator_machine;
  request.target = local ? "this machine" : options_.target.name;
  if (!local) request.user = options_.user;
  if (local && request.tainted) request.taint = "text from a remote host was read in this conversation";
  request.may_last = request.classification.effect != agent::Effect::destructive;
  const auto rule = safety::exact_rule(request.tool, request.subject, options_.target);
  if (options_.rules_path.empty())
    request.always_refused = "there is no file to keep it in";
  else if (names_secret(request.subject))
    request.always_refused = kSecretInRule;
  else if (rule)
    request.always_rule = app::describe(*rule);
  else
    request.always_refused = rule.error().message;
}

base::Result<void> RulesPolicy::remember(const agent::ApprovalRequest& request, agent::ApprovalScope scope) {
  if (request.classification.effect == agent::Effect::destructive)
    return base::fail("what is destructive asks every time");
  if (scope == agent::ApprovalScope::always) {
    if (options_.rules_path.empty()) return base::fail("there is no file to keep it in");
    if (names_secret(request.subject)) return base::fail(kSecretInRule);
    auto rule = safety::exact_rule(request.tool, request.subject, options_.target);
    if (!rule) return base::fail(rule.error());
    if (auto saved = save_rule(options_.rules_path, *rule); !saved) return saved;
    if (auto added = options_.permissions.add(std::move(*rule)); !added) return added;
  }
  if (scope != agent::ApprovalScope::once) this_session_.insert({request.tool, request.subject});
  return {};
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
  if (entry.event == agent::AuditEntry::Event::end && !entry.given_up) {
    const auto code = entry.details.find("exit_code");
    if (code != entry.details.end() && code->is_number_integer()) record.exit_code = code->get<int>();
    const auto duration = entry.details.find("duration_ms");
    if (duration != entry.details.end() && duration->is_number()) record.duration_ms = duration->get<std::int64_t>();
    record.output_sha256 = safety::sha256_hex(entry.output);
    record.output_bytes = static_cast<std::int64_t>(entry.output.size());
  }
  auto written = log_.append(record);
  if (!written) failure_ = written.error().message;
  return written;
}

}  // namespace app
