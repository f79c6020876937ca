#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "agent/approval_policy.h"
#include "agent/auditor.h"
#include "safety/audit_log.h"
#include "safety/command_classifier.h"
#include "safety/permission_rules.h"
#include "safety/redactor.h"

namespace app {

/// The safety room's judgement of a command in the agent's words.
agent::CommandClassifier command_classifier();

/// Decides by the safety room's rules and modes; what would ask is refused where nobody can be asked.
class RulesPolicy final : public agent::ApprovalPolicy {
 public:
  struct Options {
    safety::Target target;
    std::string user;                     ///< As whom commands run there; empty: not known.
    safety::PermissionRules permissions;  ///< Rules, hosts' modes, and the mode to begin with.
    std::string rules_path;               ///< Where "always" saves; empty: nowhere.
    bool headless = false;
    bool allow_changes = false;  ///< --yes-changes: what would ask runs, unless it is destructive.
  };
  explicit RulesPolicy(Options options);

  agent::Mode mode() const override;
  agent::Decision decide(const agent::ApprovalRequest& request) override;
  void describe(agent::ApprovalRequest& request) const override;
  base::Result<void> remember(const agent::ApprovalRequest& request, agent::ApprovalScope scope) override;

  /// The mode that holds: the strictest of the session's and the host's own.
  safety::Mode effective_mode() const { return options_.permissions.mode_for(options_.target); }
  void set_mode(safety::Mode mode) { options_.permissions.set_mode(mode); }
  bool production() const { return options_.permissions.is_production(options_.target); }
  /// More is known about the target: its node, its labels.
  void set_target(safety::Target target) { options_.target = std::move(target); }
  const safety::PermissionRules& permissions() const { return options_.permissions; }

 private:
  agent::Decision without_operator(const agent::ApprovalRequest& request, const safety::Permission& permission) const;

  Options options_;
  std::set<std::pair<std::string, std::string>> this_session_;  ///< Tool and exact command.
};

/// Writes what the agent runs, and what it may not, into the audit log.
class AuditBridge final : public agent::Auditor {
 public:
  AuditBridge(safety::AuditLog log, std::string target, std::string user, std::string model,
              std::function<std::string(std::string_view)> redact);

  base::Result<void> record(const agent::AuditEntry& entry) override;
  void set_model(std::string model) { model_ = std::move(model); }
  /// Why a record could not be written; the latest reason.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  safety::AuditLog log_;
  std::optional<std::string> failure_;
  std::string target_, user_, model_;
  std::function<std::string(std::string_view)> redact_;
};

}  // namespace app
