#include "safety/command_classifier.h"

#include "safety/command_walk.h"
#include "safety/unusual_text.h"
#include "shell/inspect.h"

namespace safety {
namespace {

/// More than any command; reading it would only take time.
constexpr std::size_t kReadableBytes = 1'000'000;

Judgement classify_parsed(std::string_view command, const shell::Parsed& parsed, std::vector<CommandPart>& parts,
                          bool comments) {
  CommandWalk walk(command, parts);
  if (!comments) walk.ignore_hash_commands();
  auto judgement = walk.walk(parsed.script);
  if (parsed.state != shell::Completeness::Complete)
    judgement = at_least_changes(std::move(judgement), "the command cannot be read: " + parsed.problem.message);
  if (!parsed.hazard.empty()) judgement = at_least_changes(std::move(judgement), std::string(parsed.hazard));
  if (walk.count() > CommandClassifier::kMaxParts)
    judgement = at_least_changes(std::move(judgement), "the text has more commands than a person would read");
  return judgement;
}

bool has_comment(const shell::Parsed& parsed) {
  for (const auto& lexeme : parsed.lexemes) {
    if (lexeme.kind == shell::LexemeKind::Comment) return true;
  }
  return false;
}

}  // namespace

Verdict CommandClassifier::classify(std::string_view command) const {
  Verdict verdict;
  if (auto refusal = refusal_of(command); !refusal.empty()) {
    verdict.cls = CommandClass::Destructive;
    verdict.reason = std::move(refusal);
    verdict.refused = true;
    return verdict;
  }
  if (command.size() > kReadableBytes) {
    return {CommandClass::Destructive, "the text is too long to be read", {}, true};
  }
  const auto parsed = shell::parse(command);
  auto judgement = classify_parsed(command, parsed, verdict.parts, true);
  if (has_comment(parsed)) {
    // Interactive zsh runs what others skip as a comment.
    std::vector<CommandPart> unused;
    const auto other = shell::parse(command, shell::Comments::Ordinary);
    auto as_zsh = classify_parsed(command, other, unused, false);
    if (as_zsh.cls > judgement.cls) {
      judgement = std::move(as_zsh);
      judgement.reason = "where # is no comment: " + judgement.reason;
    }
  }
  if (command.size() > kMaxBytes)
    judgement = at_least_changes(std::move(judgement), "the text is longer than a person would read");
  if (shell::find_history_expansion(command))
    judgement = at_least_changes(std::move(judgement), "an interactive shell would rewrite the ! from its history");
  if (verdict.parts.empty() && judgement.cls == CommandClass::ReadOnly) judgement.reason = "does nothing";
  if (verdict.parts.size() == 1 && judgement.cls == CommandClass::ReadOnly) judgement.reason = verdict.parts[0].reason;
  if (verdict.parts.size() > 1 && judgement.cls == CommandClass::ReadOnly) judgement.reason = "every part only reads";
  verdict.cls = judgement.cls;
  verdict.reason = std::move(judgement.reason);
  return verdict;
}

}  // namespace safety
