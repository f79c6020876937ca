#pragma once

#include <functional>
#include <memory>
#include <string>

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
    safety::Mode mode = safety::Mode::Ask;
    bool headless = false;
    bool allow_changes = false;  ///< --yes-changes: what would ask runs, unless it is destructive.
  };
  explicit RulesPolicy(Options options);

  agent::Mode mode() const override;
  agent::Decision decide(const agent::ApprovalRequest& request) override;

 private:
  Options options_;
  safety::PermissionRules rules_;
};

/// Writes what the agent runs, and what it may not, into the audit log.
class AuditBridge final : public agent::Auditor {
 public:
  AuditBridge(safety::AuditLog log, std::string target, std::string user, std::string model,
              std::function<std::string(std::string_view)> redact);

  base::Result<void> record(const agent::AuditEntry& entry) override;

 private:
  safety::AuditLog log_;
  std::string target_, user_, model_;
  std::function<std::string(std::string_view)> redact_;
};

}  // namespace app
