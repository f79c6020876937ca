#include "safety/permission_rules.h"

#include <fnmatch.h>

#include <algorithm>
#include <optional>

#include "base/words.h"
#include "safety/command_classifier.h"
#include "shell/parser.h"

namespace safety {
namespace {

using Words = std::vector<std::string>;

using base::is_one_of;

/// Programs whose first argument decides what they do.
bool has_subcommands(std::string_view name) {
  return is_one_of(name, {"git",       "docker",         "podman",        "nerdctl", "kubectl",
                          "oc",        "helm",           "systemctl",     "service", "ip",
                          "apt",       "apt-get",        "yum",           "dnf",     "npm",
                          "pip",       "pip3",           "aws",           "gcloud",  "az",
                          "terraform", "docker-compose", "crictl",        "ctr",     "openssl",
                          "psql",      "mysql",          "redis-cli",     "nmcli",   "rabbitmqctl",
                          "ceph",      "virsh",          "supervisorctl", "zfs",     "zpool"});
}

/// The words of a text that is one plain command: nothing to expand, no assignments, redirected at most to nowhere.
std::optional<Words> plain_words(std::string_view text, bool patterns) {
  const auto parsed = shell::parse(text);
  if (parsed.state != shell::Completeness::Complete || parsed.script.children.size() != 1) return std::nullopt;
  const auto& node = parsed.script.children[0];
  if (node.kind != shell::NodeKind::Simple || node.words.empty() || !node.assignments.empty() || node.background)
    return std::nullopt;
  for (const auto& redirect : node.redirects) {
    const auto target = redirect.target.literal().value_or("");
    const bool nowhere =
        target == "/dev/null" || (redirect.op == shell::Op::DuplicateOut && is_one_of(target, {"1", "2"}));
    if (!nowhere || patterns) return std::nullopt;
  }
  Words words;
  for (const auto& word : node.words) {
    const auto literal = word.literal();
    if (!literal) return std::nullopt;
    const bool glob = !word.quoted() && literal->find_first_of("*?[{~") != std::string::npos;
    if (glob && !patterns) return std::nullopt;  // the shell would put other words there
    words.push_back(*literal);
  }
  return words;
}

bool is_usual_place(std::string_view path) {
  const auto directory = path.substr(0, path.rfind('/'));
  return is_one_of(directory, {"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"});
}

/// Whether an allow rule that says `pattern` for the program means `word`: the very file, or the system's program of
/// that name.
bool program_matches(const std::string& pattern, const std::string& word) {
  if (pattern.find('/') != std::string::npos) return pattern == word;
  if (word.find('/') != std::string::npos && !is_usual_place(word)) return false;
  return ::fnmatch(pattern.c_str(), base_name(word).c_str(), FNM_NOESCAPE) == 0;
}

bool words_match(const Words& pattern, const Words& words) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == "*" && i + 1 == pattern.size() && i > 0) return true;
    if (i >= words.size()) return false;
    const bool matches = i == 0 ? program_matches(pattern[0], words[0])
                                : ::fnmatch(pattern[i].c_str(), words[i].c_str(), FNM_NOESCAPE) == 0;
    if (!matches) return false;
  }
  return pattern.size() == words.size();
}

bool has_wildcard(const Words& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word.find_first_of("*?[") != std::string::npos; });
}

base::Result<void> check_allow(const Words& words, std::string_view pattern) {
  std::size_t first = 0;
  // `sudo systemctl restart x` is judged by what sudo runs.
  while (first + 1 < words.size() && (words[first] == "sudo" || words[first] == "doas") &&
         !words[first + 1].starts_with('-') && words[first + 1].find('*') == std::string::npos)
    ++first;
  const auto name = base_name(words[first]);
  if (name.find_first_of("*?[") != std::string::npos)
    return base::fail("a rule must name the program; '" + std::string(pattern) + "' would allow any");
  if (name == "eval") return base::fail("eval reads its words as shell text again; no rule may cover it");
  const bool open = has_wildcard(Words(words.begin() + static_cast<std::ptrdiff_t>(first), words.end()));
  if (runs_programs(name) && (open || words.size() == first + 1)) {
    return base::fail(name + " runs whatever its arguments say, so a rule may only name one exact command of it");
  }
  if (has_subcommands(name) &&
      (words.size() == first + 1 || words[first + 1].find_first_of("*?[") != std::string::npos)) {
    return base::fail("say which sub-command of " + name + " is allowed; all of them together can do anything");
  }
  const auto verdict = CommandClassifier().classify(pattern);
  if (verdict.cls == CommandClass::Destructive)
    return base::fail("'" + std::string(pattern) + "' is destructive (" + verdict.reason + ") and always asks");
  return {};
}

}  // namespace

bool matches_target(std::string_view pattern, const Target& target) {
  const auto glob = [](std::string_view expected, const std::string& text) {
    return ::fnmatch(std::string(expected).c_str(), text.c_str(), 0) == 0;
  };
  if (pattern.starts_with("node:"))
    return std::any_of(target.nodes.begin(), target.nodes.end(),
                       [&](const std::string& node) { return glob(pattern.substr(5), node); });
  if (pattern.starts_with("label:")) {
    return std::any_of(target.labels.begin(), target.labels.end(),
                       [&](const std::string& label) { return glob(pattern.substr(6), label); });
  }
  return glob(pattern, target.name) || std::any_of(target.also.begin(), target.also.end(),
                                                   [&](const std::string& name) { return glob(pattern, name); });
}

base::Result<Mode> mode_named(std::string_view name) {
  if (name == "read-only") return Mode::ReadOnly;
  if (name == "ask") return Mode::Ask;
  if (name == "auto") return Mode::Auto;
  return base::fail("mode must be read-only, ask or auto, not '" + std::string(name) + "'");
}

std::string_view name_of(Mode mode) {
  return mode == Mode::ReadOnly ? "read-only" : mode == Mode::Ask ? "ask" : "auto";
}

base::Result<RuleAction> rule_action_named(std::string_view name) {
  for (const auto action : {RuleAction::Allow, RuleAction::Ask, RuleAction::Deny})
    if (name == name_of(action)) return action;
  return base::fail("action must be allow, ask or deny, not '" + std::string(name) + "'");
}

std::string_view name_of(RuleAction action) {
  return action == RuleAction::Allow ? "allow" : action == RuleAction::Ask ? "ask" : "deny";
}

std::optional<Mode> PermissionRules::host_mode(const Target& target) const {
  std::optional<Mode> strictest;
  for (const auto& host : hosts_)
    if (host.mode && matches_target(host.match, target))
      strictest = std::min(strictest.value_or(*host.mode), *host.mode);
  return strictest;
}

Mode PermissionRules::mode_for(const Target& target) const {
  return std::min(mode_, host_mode(target).value_or(mode_));
}

bool PermissionRules::is_production(const Target& target) const {
  return std::any_of(hosts_.begin(), hosts_.end(),
                     [&](const HostMode& host) { return host.production && matches_target(host.match, target); });
}

base::Result<void> PermissionRules::add(Rule rule) {
  const auto words = plain_words(rule.pattern, true);
  if (!words)
    return base::fail("a rule is one plain command without pipes, redirections, variables or substitutions, not '" +
                      rule.pattern + "'");
  if (rule.action == RuleAction::Allow) {
    if (auto checked = check_allow(*words, rule.pattern); !checked) return checked;
  }
  rules_.push_back(std::move(rule));
  return {};
}

/// The rule of this kind that the command comes closest to.
PermissionRules::Objection PermissionRules::objection(RuleAction action, const PermissionRequest& request,
                                                      const Verdict& verdict) const {
  Objection worst;
  for (const auto& rule : rules_) {
    if (rule.action != action || rule.tool != request.tool || !matches_target(rule.host, request.target)) continue;
    const auto pattern = plain_words(rule.pattern, true);
    if (!pattern) continue;
    // Beyond the parts the text may say anything.
    auto match = verdict.beyond_parts ? Match::Maybe : Match::No;
    for (const auto& run : verdict.runs) match = std::max(match, match_run(*pattern, run));
    if (match > worst.match) worst = {match, rule.pattern};
  }
  return worst;
}

bool PermissionRules::is_allowed(const PermissionRequest& request, const Words& words, bool exact) const {
  for (const auto& rule : rules_) {
    if (rule.action != RuleAction::Allow || rule.tool != request.tool) continue;
    if (!matches_target(rule.host, request.target)) continue;
    const auto pattern = plain_words(rule.pattern, true);
    if (!pattern || (exact && has_wildcard(*pattern))) continue;
    if (words_match(*pattern, words)) return true;
  }
  return false;
}

/// Every part that does not only read must be one plain command that an allow rule names.
bool PermissionRules::all_allowed(const PermissionRequest& request, const Verdict& verdict, bool exact) const {
  // Of what is no part of its own (a comment, an expansion) no rule speaks.
  if (verdict.beyond_parts || verdict.parts.empty() || verdict.parts.size() >= CommandClassifier::kMaxParts)
    return false;
  bool covered = false;
  for (const auto& part : verdict.parts) {
    if (part.cls == CommandClass::ReadOnly && !exact) continue;
    const auto words = plain_words(part.command, false);
    if (!words || !is_allowed(request, *words, exact)) return false;
    covered = true;
  }
  return covered;
}

Permission PermissionRules::decide(const PermissionRequest& request) const {
  using Answer = Permission::Answer;
  Permission result;
  result.verdict = CommandClassifier().classify(request.command);
  result.reason = result.verdict.reason;
  result.decided_by = "policy";
  if (result.verdict.refused) return result;
  const auto denial = objection(RuleAction::Deny, request, result.verdict);
  if (denial.match == Match::Yes) {
    result.reason = "a rule denies " + denial.pattern;
    result.decided_by = "rule";
    return result;
  }
  const bool asks_by_rule = objection(RuleAction::Ask, request, result.verdict).match != Match::No;
  result = weigh(request, std::move(result), asks_by_rule);
  if (denial.match == Match::No || result.answer == Answer::Refuse) return result;
  result.maybe_denied = true;
  result.reason = "a rule denies " + denial.pattern + ", and this may become that; " + result.reason;
  if (result.answer != Answer::Run) return result;
  result.answer = Answer::Ask;
  result.decided_by = "rule";
  return result;
}

/// What mode, class and the rules that allow or ask make of a command that no rule denies.
Permission PermissionRules::weigh(const PermissionRequest& request, Permission result, bool asks_by_rule) const {
  using Answer = Permission::Answer;
  const auto cls = result.verdict.cls;
  const auto mode = mode_for(request.target);
  const auto finish = [&](Answer answer, std::string_view by) {
    result.answer = answer;
    result.decided_by = by;
    return std::move(result);
  };
  if (mode == Mode::ReadOnly && cls != CommandClass::ReadOnly) {
    result.reason = "read-only mode: " + result.reason;
    return finish(Answer::Refuse, "policy");
  }
  if (request.tainted && request.tool == "local_command") {
    if (cls != CommandClass::Destructive && all_allowed(request, result.verdict, true))
      return finish(Answer::Run, "rule");
    result.reason =
        "text from a remote host was read in this conversation, so local commands always ask; " + result.reason;
    return finish(cls == CommandClass::Destructive ? Answer::AskTwice : Answer::Ask, "policy");
  }
  if (cls == CommandClass::Destructive) return finish(Answer::AskTwice, "policy");
  if (asks_by_rule) return finish(Answer::Ask, "rule");
  if (cls == CommandClass::ReadOnly) return finish(Answer::Run, "policy");
  if (all_allowed(request, result.verdict, false)) return finish(Answer::Run, "rule");
  return finish(mode == Mode::Auto ? Answer::Run : Answer::Ask, "policy");
}

base::Result<Rule> exact_rule(std::string_view tool, std::string_view command, const Target& target) {
  const auto words = plain_words(command, false);
  if (!words)
    return base::fail("only one plain command can become a rule; this one has pipes, expansions or redirections");
  if (has_wildcard(*words))
    return base::fail("it holds a wildcard in quotes, which a rule would take for \"anything\"");
  std::string host;
  for (const char c : target.name)
    host += std::string(std::string_view("*?[\\").find(c) == std::string::npos ? "" : "\\") + c;
  Rule rule{RuleAction::Allow, std::string(tool), std::string(command), host};
  PermissionRules trial;
  if (auto added = trial.add(rule); !added) return base::fail(added.error());
  return rule;
}

}  // namespace safety
