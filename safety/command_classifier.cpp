#include "safety/command_classifier.h"

#include <algorithm>

#include "safety/command_walk.h"
#include "safety/unusual_text.h"
#include "shell/inspect.h"

namespace safety {
namespace {

/// More than any command; reading it would only take time.
constexpr std::size_t kReadableBytes = 1'000'000;

/// Collects the verdict on one text.
class Classification {
 public:
  explicit Classification(std::string_view command) : command_(command) {}

  Verdict run() {
    const auto parsed = shell::parse(command_);
    judge(parsed, shell::Comments::Skipped, verdict_);
    if (has_comment(parsed)) {
      // Interactive zsh runs what others skip as a comment.
      Verdict unused;
      judge(shell::parse(command_, shell::Comments::Ordinary), shell::Comments::Ordinary, unused);
    }
    raise_if(command_.size() > CommandClassifier::kMaxBytes, "the text is longer than a person would read");
    raise_if(shell::find_history_expansion(command_).has_value(),
             "an interactive shell would rewrite the ! from its history");
    finish();
    return std::move(verdict_);
  }

 private:
  static bool has_comment(const shell::Parsed& parsed) {
    return std::any_of(parsed.lexemes.begin(), parsed.lexemes.end(),
                       [](const shell::Lexeme& lexeme) { return lexeme.kind == shell::LexemeKind::Comment; });
  }

  void judge(const shell::Parsed& parsed, shell::Comments comments, Verdict& findings) {
    CommandWalk walk(command_, findings);
    const bool as_zsh = comments == shell::Comments::Ordinary;
    if (as_zsh) walk.ignore_hash_commands();
    auto judgement = walk.walk(parsed.script);
    if (as_zsh && judgement.cls != CommandClass::ReadOnly) verdict_.beyond_parts = true;
    if (judgement.cls > judgement_.cls) {
      if (as_zsh) judgement.reason = "where # begins no comment: " + judgement.reason;
      judgement_ = std::move(judgement);
    }
    verdict_.beyond_parts = verdict_.beyond_parts || walk.beyond_parts();
    raise_if(parsed.state != shell::Completeness::Complete, "the command cannot be read: " + parsed.problem.message);
    raise_if(!parsed.hazard.empty(), std::string(parsed.hazard));
    raise_if(walk.count() > CommandClassifier::kMaxParts, "the text has more commands than a person would read");
  }

  /// The text as a whole is a reason to ask.
  void raise_if(bool condition, std::string reason) {
    if (!condition) return;
    verdict_.beyond_parts = true;
    judgement_ = at_least_changes(std::move(judgement_), std::move(reason));
  }

  void finish() {
    verdict_.cls = judgement_.cls;
    verdict_.reason = std::move(judgement_.reason);
    if (verdict_.cls != CommandClass::ReadOnly) return;
    verdict_.reason = verdict_.parts.empty()       ? "does nothing"
                      : verdict_.parts.size() == 1 ? verdict_.parts[0].reason
                                                   : "every part only reads";
  }

  std::string_view command_;
  Judgement judgement_;
  Verdict verdict_;
};

Verdict refuse(std::string reason) {
  Verdict verdict;
  verdict.cls = CommandClass::Destructive;
  verdict.reason = std::move(reason);
  verdict.refused = true;
  verdict.beyond_parts = true;
  return verdict;
}

}  // namespace

Verdict CommandClassifier::classify(std::string_view command) const {
  if (command.size() > kReadableBytes) return refuse("the text is too long to be read");
  if (auto refusal = refusal_of(command); !refusal.empty()) return refuse(std::move(refusal));
  return Classification(command).run();
}

}  // namespace safety
