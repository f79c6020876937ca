#pragma once

#include "agent/approval_policy.h"

namespace support {

/// The modes and nothing else, for tests of the loop: reads run, changes ask unless the mode is auto, what is
/// destructive always asks; without an operator what would ask is refused. (The product's policy is app::RulesPolicy.)
class ModePolicy : public agent::ApprovalPolicy {
 public:
  explicit ModePolicy(agent::Mode mode = agent::Mode::ask, bool headless = false) : mode_(mode), headless_(headless) {}

  agent::Mode mode() const override { return mode_; }
  void set_mode(agent::Mode mode) { mode_ = mode; }
  agent::Decision decide(const agent::ApprovalRequest& request) override {
    using agent::Decision;
    const auto& [effect, reason] = request.classification;
    if (effect == agent::Effect::read_only) return Decision::allow("only reads");
    if (mode_ == agent::Mode::read_only) return Decision::deny("the mode is read-only: " + reason);
    if (effect == agent::Effect::changes && mode_ == agent::Mode::automatic) return Decision::allow("the mode is auto");
    return headless_ ? Decision::deny("nobody is there to ask (" + reason + ")") : Decision::ask(reason);
  }

 private:
  agent::Mode mode_;
  bool headless_;
};

}  // namespace support
