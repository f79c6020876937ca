#pragma once

#include <functional>
#include <string>

#include "agent/intent.h"
#include "agent/tool.h"

namespace agent {

/// Who decided that a call may run or may not.
enum class DecidedBy { policy, rule, operator_choice };
std::string_view name_of(DecidedBy who);

/// A call that wants to run.
struct ApprovalRequest {
  std::string call_id;
  std::string tool;
  Json input;
  std::string subject;  ///< Exactly what would run.
  Classification classification;
  Place place = Place::nowhere;
  bool tainted = false;  ///< The conversation holds text that came from a remote host.
  std::string why_asked;

  // For the operator's eyes; nothing is decided by these.
  Intent intent;               ///< The model's own words about it.
  std::string target;          ///< Where it would run, as the operator named it.
  std::string user;            ///< As whom there; empty: not known.
  std::string taint;           ///< Why a call on the operator's machine asks; empty when it does not for that.
  bool may_last = false;       ///< "This session" can be answered.
  std::string always_rule;     ///< The exact rule that "always" would save; empty: none may be saved.
  std::string always_refused;  ///< Then why not.
};

/// How long the operator's yes holds.
enum class ApprovalScope { once, session, always };

/// The operator's answer to an approval.
struct ApprovalAnswer {
  bool allowed = false;
  std::string reason;  ///< For the model, when it was denied; may be empty.
  DecidedBy by = DecidedBy::operator_choice;
  ApprovalScope scope = ApprovalScope::once;
  std::string edited;  ///< Run this instead. It is checked and judged again, and may ask again.

  static ApprovalAnswer yes(ApprovalScope scope = ApprovalScope::once) {
    return {true, {}, DecidedBy::operator_choice, scope, {}};
  }
  static ApprovalAnswer with_edit(std::string command) {
    return {true, {}, DecidedBy::operator_choice, ApprovalScope::once, std::move(command)};
  }
  static ApprovalAnswer no(std::string note) { return {false, std::move(note)}; }
};

/// What became of such a wish.
struct Decision {
  enum class Kind { allow, deny, ask };
  Kind kind = Kind::ask;
  DecidedBy by = DecidedBy::policy;
  std::string reason;

  static Decision allow(std::string why = {}) { return {Kind::allow, DecidedBy::policy, std::move(why)}; }
  static Decision deny(std::string why) { return {Kind::deny, DecidedBy::policy, std::move(why)}; }
  static Decision ask(std::string why) { return {Kind::ask, DecidedBy::policy, std::move(why)}; }
};

/// Decides whether a call runs, is refused, or is shown to the operator. The model's word about safety never counts.
class ApprovalPolicy {
 public:
  virtual ~ApprovalPolicy() = default;
  virtual Mode mode() const = 0;
  virtual Decision decide(const ApprovalRequest& request) = 0;
  /// Adds what the operator should see before answering: where it runs, which rule "always" would save.
  virtual void describe(ApprovalRequest&) const {}
  /// The operator said yes for longer than once. What cannot be kept is a failure; the yes itself stands.
  virtual base::Result<void> remember(const ApprovalRequest&, ApprovalScope) {
    return base::fail("this policy keeps no rules");
  }
};

/// Turns a command into what it would do.
using CommandClassifier = std::function<Classification(std::string_view command)>;

}  // namespace agent
