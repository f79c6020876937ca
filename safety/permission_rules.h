// Who decides whether a command runs: the mode, the rules, the class. Deny wins over allow, and nothing here listens
// to what a model says about safety.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "safety/command_class.h"
#include "safety/rule_match.h"

namespace safety {

enum class Mode : unsigned char { ReadOnly, Ask, Auto };
enum class RuleAction : unsigned char { Allow, Ask, Deny };

/// Where a command would run, as far as rules can name it.
struct Target {
  std::string name;                 ///< Host or asset, as the operator named it.
  std::vector<std::string> nodes;   ///< JumpServer's paths, "/Default/Prod"; an asset may hang at several.
  std::vector<std::string> labels;  ///< "env=prod"
  std::vector<std::string> also;    ///< Its other names: without user and port, by ssh_config, the address.
};

/// Whether `pattern` names the target: a glob on one of its names, "node:/Default/Prod*" or "label:env=prod".
bool matches_target(std::string_view pattern, const Target& target);

/// One rule. The pattern is a command whose words may hold `*`; a last word `*` stands for any further arguments.
struct Rule {
  RuleAction action = RuleAction::Ask;
  std::string tool = "execute_command";
  std::string pattern;
  std::string host = "*";

  bool operator==(const Rule&) const = default;
};

/// A host's own mode, from `[[hosts]] match = "prod-*" mode = "read-only"`.
struct HostMode {
  std::string match;
  std::optional<Mode> mode;  ///< Nothing: as the session.
  bool production = false;
};

struct PermissionRequest {
  std::string tool = "execute_command";
  std::string command;
  Target target;
  bool tainted = false;  ///< Remote text was read in this conversation.
};

/// The decision, and why.
struct Permission {
  enum class Answer : unsigned char { Run, Ask, AskTwice, Refuse };
  Answer answer = Answer::Refuse;
  std::string reason;
  std::string decided_by;  ///< "policy" or "rule", as the audit record has it.
  Verdict verdict;
  bool maybe_denied = false;  ///< It may become what a rule denies: only a person who has read it can say yes.
};

/// Rules and modes of a session.
class PermissionRules {
 public:
  void set_mode(Mode mode) { mode_ = mode; }
  void add_host_mode(HostMode host) { hosts_.push_back(std::move(host)); }
  /// The mode that holds for a target: the strictest of the session's and its own.
  Mode mode_for(const Target& target) const;
  /// The strictest mode that a host entry gives the target; nothing when none does.
  std::optional<Mode> host_mode(const Target& target) const;
  bool is_production(const Target& target) const;

  /// Adds a rule, or says why it may not be kept: an allow rule must not cover an interpreter, a shell, sudo or any
  /// other program that runs programs, nor everything, nor anything destructive.
  base::Result<void> add(Rule rule);
  const std::vector<Rule>& rules() const { return rules_; }

  Permission decide(const PermissionRequest& request) const;

 private:
  /// A rule that stands in the way, and how sure that is.
  struct Objection {
    Match match = Match::No;
    std::string pattern;
  };
  Objection objection(RuleAction action, const PermissionRequest& request, const Verdict& verdict) const;
  Permission weigh(const PermissionRequest& request, Permission result, bool asks_by_rule) const;
  bool is_allowed(const PermissionRequest& request, const std::vector<std::string>& words, bool exact) const;
  bool all_allowed(const PermissionRequest& request, const Verdict& verdict, bool exact) const;

  Mode mode_ = Mode::Ask;
  std::vector<HostMode> hosts_;
  std::vector<Rule> rules_;
};

/// The rule that "always" would save for this command: its exact words, for this host. Fails when there is none that
/// may be saved.
base::Result<Rule> exact_rule(std::string_view tool, std::string_view command, const Target& target);

base::Result<Mode> mode_named(std::string_view name);
std::string_view name_of(Mode mode);
base::Result<RuleAction> rule_action_named(std::string_view name);
std::string_view name_of(RuleAction action);

}  // namespace safety
