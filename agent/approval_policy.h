#pragma once

#include <functional>
#include <string>

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
};

/// The policy of the modes: reads run, changes ask, what is destructive always asks; a call on the operator's machine
/// asks once remote text has been read. Without an operator what would ask is refused.
class ModePolicy : public ApprovalPolicy {
 public:
  struct Options {
    Mode mode = Mode::ask;
    bool headless = false;       ///< Nobody is there to ask.
    bool allow_changes = false;  ///< `--yes-changes`: what would ask runs, unless it is destructive.
  };
  explicit ModePolicy(Options options) : options_(options) {}

  Mode mode() const override { return options_.mode; }
  void set_mode(Mode mode) { options_.mode = mode; }
  Decision decide(const ApprovalRequest& request) override;

 private:
  Decision wish(const ApprovalRequest& request) const;

  Options options_;
};

/// Turns a command into what it would do.
using CommandClassifier = std::function<Classification(std::string_view command)>;

/// A strict classifier that needs no parser: a dozen plain reading commands, also piped into each other; everything
/// else changes something as far as it knows.
Classification classify_strictly(std::string_view command);

}  // namespace agent
