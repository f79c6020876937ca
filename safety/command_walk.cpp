#include "safety/command_walk.h"

#include <algorithm>

#include "base/words.h"
#include "safety/command_classifier.h"
#include "safety/credentials.h"
#include "safety/paths.h"
#include "safety/variable_names.h"

namespace safety {
namespace {

using base::is_one_of;

bool is_shell_name(std::string_view name) {
  return is_one_of(name, {"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish"});
}

/// The program's name without its directory, or nothing when it lies in an unusual place.
std::string_view usual_name(std::string_view path) {
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos) return path;
  const auto directory = path.substr(0, slash);
  const bool usual = is_one_of(directory, {"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin",
                                           "/usr/local/sbin", "/snap/bin", "/usr/libexec", "/opt/bin"});
  return usual ? path.substr(slash + 1) : std::string_view{};
}

/// Programs that fetch or decode: what they print was not seen by anyone.
bool unpacks(const shell::Node& node) {
  if (node.kind != shell::NodeKind::Simple) return std::any_of(node.children.begin(), node.children.end(), unpacks);
  for (const auto& word : node.words) {
    const auto name = word.literal().value_or("");
    if (is_one_of(usual_name(name), {"curl", "wget", "base64", "base32", "xxd", "openssl", "uudecode", "gunzip", "zcat",
                                     "gzip", "rev", "tr", "nc", "ncat", "fetch", "od", "hexdump"}))
      return true;
  }
  return false;
}

bool names_credentials(const shell::Node& node) {
  return std::any_of(node.children.begin(), node.children.end(), names_credentials) ||
         std::any_of(node.words.begin(), node.words.end(),
                     [](const shell::Word& word) { return is_credential_path(word.literal().value_or("")); });
}

int count_calls(const shell::Node& node, std::string_view name) {
  int calls = node.kind == shell::NodeKind::Simple && !node.words.empty() && node.words[0].literal() == name ? 1 : 0;
  for (const auto& child : node.children) calls += count_calls(child, name);
  return calls;
}

/// `:(){ :|:& };:` and its like.
bool calls_itself_twice(const shell::Node& function) {
  return count_calls(function, function.name) >= 2;
}

Judgement& keep_worse(Judgement& worst, Judgement other) {
  if (other.cls > worst.cls) worst = std::move(other);
  return worst;
}

}  // namespace

void CommandWalk::worsen_beyond_parts(const Judgement& judgement) {
  beyond_parts_ = beyond_parts_ || judgement.cls != CommandClass::ReadOnly;
  keep_worse(worst_, judgement);
}

void CommandWalk::note(std::string_view command, Judgement judgement) {
  ++count_;
  keep_worse(worst_, judgement);
  if (findings_.parts.size() < CommandClassifier::kMaxParts)
    findings_.parts.push_back({std::string(command), judgement.cls, std::move(judgement.reason)});
}

void CommandWalk::add_run(std::span<const Argument> words, CommandClass cls, bool nested) {
  // More than a person would read. A wrapper's words count again for what it runs.
  static constexpr std::size_t kMostWords = 20'000;
  if (findings_.run_words + words.size() > kMostWords) {
    beyond_parts_ = true;
    return;
  }
  findings_.run_words += words.size();
  findings_.runs.push_back(
      {std::vector<Argument>(words.begin(), words.end()), cls, nested, around_.piped_input || around_.here_doc_input});
}

Judgement CommandWalk::walk(const shell::Node& script) {
  count_assignments(script);
  visit(script, {}, Flow::Straight);
  if (worst_.reason.empty()) worst_.reason = "only reads";
  return worst_;
}

void CommandWalk::visit_children(const shell::Node& node, Surroundings around, Flow flow) {
  for (const auto& child : node.children) visit(child, around, flow);
}

void CommandWalk::visit(const shell::Node& node, Surroundings around, Flow flow) {
  using shell::NodeKind;
  if (node.background) flow = Flow::Maybe;
  if (node.kind != NodeKind::Simple && node.kind != NodeKind::Condition) {
    for (const auto& redirect : node.redirects) {
      auto judgement = judge_redirect(redirect);
      if (judgement.cls != CommandClass::ReadOnly) note(redirect.span.of(source_), std::move(judgement));
    }
  }
  switch (node.kind) {
    case NodeKind::Simple:
      return visit_simple(node, around, flow);
    case NodeKind::Pipeline:
      return visit_pipeline(node, around);
    case NodeKind::List:
      return visit_children(node, around, flow);
    case NodeKind::Group:
      return visit_children(node, around, flow);
    case NodeKind::AndOr:
      for (std::size_t i = 0; i < node.children.size(); ++i)
        visit(node.children[i], around, i == 0 ? flow : Flow::Maybe);
      return;
    case NodeKind::For:
    case NodeKind::Select:
      return visit_for(node, around);
    case NodeKind::Condition:
      return visit_condition(node);
    case NodeKind::Arithmetic:
      for (const auto& word : node.words) visit_parts(word.parts);
      // `((reboot))` is two nested groups in a shell that does not know arithmetic commands.
      return note(node.span.of(source_), changes("an arithmetic command is a group of commands in other shells"));
    case NodeKind::Function:
      note(node.span.of(source_), calls_itself_twice(node)
                                      ? destroys("starts itself over and over until the machine stops")
                                      : changes("defines a function that stays in the session's shell"));
      return visit_children(node, around, Flow::Maybe);
    case NodeKind::Coprocess:
      note(node.span.of(source_), changes("leaves a command running beside the shell"));
      return visit_children(node, around, Flow::Maybe);
    default:
      for (const auto& word : node.words) visit_parts(word.parts);
      return visit_children(node, around, Flow::Maybe);
  }
}

void CommandWalk::visit_pipeline(const shell::Node& node, Surroundings around) {
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    Surroundings here = around;
    here.in_terminal = around.in_terminal && i + 1 == node.children.size();
    if (i > 0) here.piped_input = true;
    if (i > 0 && unpacks(node.children[i - 1])) around.decoded_input = here.decoded_input = true;
    if (i > 0 && names_credentials(node.children[i - 1])) around.credential_names = here.credential_names = true;
    visit(node.children[i], here, Flow::Maybe);
  }
}

void CommandWalk::visit_for(const shell::Node& node, Surroundings around) {
  std::vector<Argument> values;
  for (const auto& word : node.words) {
    visit_parts(word.parts);
    append_arguments(word, variables_, values);
  }
  const bool known =
      !values.empty() && std::all_of(values.begin(), values.end(), [](const Argument& value) { return value.known; });
  if (!is_lower_name(node.name) && node.name.size() > 1) note(node.name, changes("sets the variable " + node.name));
  if (is_special_lower(node.name)) note(node.name, changes("sets the variable " + node.name));
  if (known && assigned_[node.name] == 1 && !unknowable_) {
    Variable variable{true, false, {}};
    for (const auto& value : values) variable.values.push_back(value.text);
    // One value that is a pattern is still many words.
    if (values.size() == 1 && values[0].glob) variable.values.push_back(values[0].text);
    variables_[node.name] = std::move(variable);
  }
  const bool harmless = !values.empty() && std::all_of(values.begin(), values.end(), [](const Argument& value) {
    return value.operand_only || (value.known && !value.glob && !value.text.starts_with('-'));
  });
  if (!known && harmless && assigned_[node.name] == 1 && !unknowable_) variables_[node.name] = {false, true, {}};
  visit_children(node, around, Flow::Maybe);
  variables_.erase(node.name);
}

void CommandWalk::visit_condition(const shell::Node& node) {
  Judgement judgement = reads("tests a condition");
  for (const auto& redirect : node.redirects) {
    // Without [[ this would be a file that is written.
    if (redirect.op == shell::Op::Greater)
      keep_worse(judgement, changes("> inside [[ ]] writes a file in shells that lack [["));
  }
  for (const auto& word : node.words) {
    visit_parts(word.parts);
    for (const auto& part : word.parts) {
      const bool hides = part.kind == shell::PartKind::Literal &&
                         (part.text.find("$(") != std::string::npos || part.text.find('`') != std::string::npos);
      if (hides || word.bare() == "-v")
        keep_worse(judgement, changes("[[ ]] can evaluate a substitution inside a number"));
    }
  }
  note(node.span.of(source_), std::move(judgement));
}

void CommandWalk::visit_simple(const shell::Node& node, Surroundings around, Flow flow) {
  Judgement judgement;
  std::vector<Argument> words;
  for (const auto& word : node.words) {
    visit_parts(word.parts);
    append_arguments(word, variables_, words);
  }
  for (const auto& assignment : node.assignments) {
    visit_parts(assignment.value.parts, true);
    std::vector<Argument> value;
    append_arguments(assignment.value, variables_, value);
    if (value.empty()) value.push_back({});
    auto one = words.empty() ? judge_bare_assignment(assignment, flow) : judge_assignment(assignment.name, value[0]);
    if (one.cls != CommandClass::ReadOnly) {
      // PROMPT_COMMAND, PAGER and their like are run, so rules are held against them.
      value.insert(value.begin(), Argument{.text = "="});
      add_run(value, one.cls, false);
    }
    keep_worse(judgement, std::move(one));
  }
  for (const auto& redirect : node.redirects) {
    auto one = judge_redirect(redirect);
    keep_worse(judgement, std::move(one));
    if (redirect.here_doc || redirect.op == shell::Op::HereString) around.here_doc_input = true;
    if (redirect.op == shell::Op::Less) around.piped_input = true;
    if (redirect.op != shell::Op::Less && redirect.fd.empty()) around.in_terminal = false;
  }
  if (!words.empty()) {
    around_ = around;
    auto own = judge_command(words);
    keep_worse(own, judge_here_input(node, words[0].known ? usual_name(words[0].text) : ""));
    if (judgement.cls >= own.cls && judgement.cls != CommandClass::ReadOnly) own = std::move(judgement);
    judgement = std::move(own);
  }
  if (judgement.reason.empty())
    judgement.reason = node.assignments.empty() ? "only reads" : "sets a variable of the shell";
  if (node.words.empty() && node.assignments.empty() && node.redirects.empty()) return;
  note(node.span.of(source_), std::move(judgement));
}

/// Commands that a shell is given as a here-document or here-string.
Judgement CommandWalk::judge_here_input(const shell::Node& node, std::string_view program) {
  Judgement worst;
  if (!is_shell_name(program) && program != "ssh" && program != "sudo") return worst;
  for (const auto& redirect : node.redirects) {
    if (redirect.here_doc) {
      keep_worse(worst, at_least_changes(judge_script(redirect.here_doc->body.of(source_)),
                                         "runs the commands of a here-document"));
    } else if (redirect.op == shell::Op::HereString) {
      const auto text = redirect.target.literal();
      keep_worse(worst, text ? at_least_changes(judge_script(*text), "runs the commands of a here-string")
                             : destroys("runs commands that another command prints"));
    }
  }
  return worst;
}

Judgement CommandWalk::judge_command(std::span<const Argument> words) {
  if (words.empty()) return changes("names no command");
  const auto before = findings_.runs.size();
  auto judgement = judge_program(words);
  add_run(words, judgement.cls, findings_.runs.size() > before);
  return judgement;
}

Judgement CommandWalk::judge_program(std::span<const Argument> words) {
  if (wrappers_ >= kMaxDepth) return changes("programs run programs too many levels deep");
  const auto& first = words[0];
  if (!first.known || first.splits) return changes("the command's name is computed");
  if (first.glob) return changes("the command's name is a pattern");
  if (first.text.starts_with('#') && hash_is_nothing_) return reads("is a comment");
  const auto name = usual_name(first.text);
  if (name.empty()) return changes("runs a program from an unusual place, " + first.text);
  const auto* program = find_program(name);
  if (program == nullptr) {
    if (name.starts_with("mkfs.")) return destroys("makes a new file system over whatever is there");
    return changes(std::string(name) + " is not among the commands known to only read");
  }
  ++wrappers_;
  const Invocation call{name, words.subspan(1), around_, *this};
  auto judgement = program->judge != nullptr ? program->judge(call) : judge_by_row(*program, call);
  --wrappers_;
  if (first.computed) judgement = at_least_changes(std::move(judgement), "the command's name is computed");
  return judgement;
}

Judgement CommandWalk::judge_script(std::string_view text) {
  if (depth_ >= kMaxDepth) return changes("commands inside commands too many levels deep");
  const auto parsed = shell::parse(text);
  CommandWalk inner(text, findings_, depth_ + 1);
  auto judgement = inner.walk(parsed.script);
  count_ += inner.count_;
  beyond_parts_ =
      beyond_parts_ || inner.beyond_parts_ || parsed.state != shell::Completeness::Complete || !parsed.hazard.empty();
  if (parsed.state != shell::Completeness::Complete)
    judgement = at_least_changes(std::move(judgement), "the inner command cannot be read: " + parsed.problem.message);
  if (!parsed.hazard.empty()) judgement = at_least_changes(std::move(judgement), std::string(parsed.hazard));
  return judgement;
}

Judgement CommandWalk::judge_assignment(std::string_view name, const Argument& value) {
  if (is_harmless_setting(name)) return reads();
  const bool pager = is_one_of(name, {"PAGER", "SYSTEMD_PAGER", "GIT_PAGER", "MANPAGER"});
  if (pager && value.known && (value.text.empty() || value.text == "cat")) return reads();
  return changes("the setting " + std::string(name) + " can change what the program does or loads");
}

Judgement CommandWalk::judge_bare_assignment(const shell::Assignment& assignment, Flow flow) {
  if (!assignment.subscript.empty()) return changes("evaluates a subscript");
  if (!is_lower_name(assignment.name) || is_special_lower(assignment.name))
    return changes("sets " + assignment.name + " for all later commands");
  std::vector<Argument> value;
  append_arguments(assignment.value, variables_, value);
  const bool simple = value.size() == 1 && value[0].known && !value[0].glob && !assignment.append;
  if (flow == Flow::Straight && simple && assigned_[assignment.name] == 1 && !unknowable_) {
    variables_[assignment.name] = {true, false, {value[0].text}};
  }
  return reads("sets a variable of the shell");
}

Judgement CommandWalk::judge_redirect(const shell::Redirect& redirect) {
  using shell::Op;
  visit_parts(redirect.target.parts);
  if (redirect.here_doc) {
    visit_parts(redirect.here_doc->parts);
    return reads();
  }
  if (redirect.op == Op::HereString) return reads();
  std::vector<Argument> targets;
  append_arguments(redirect.target, variables_, targets);
  if (targets.size() != 1) return changes("redirects to more than one file");
  const auto& target = targets[0];
  if (redirect.fd.starts_with('{')) return changes("sets the variable " + redirect.fd);
  if (redirect.op == Op::Less || redirect.op == Op::DuplicateIn) {
    if (target.text.starts_with("/dev/tcp/") || target.text.starts_with("/dev/udp/"))
      return changes("opens a network connection");
    const auto found = credential_among({&target, 1});
    return found.empty() ? reads() : changes(found);
  }
  const bool digits =
      target.known && !target.text.empty() && target.text.find_first_not_of("0123456789-") == std::string::npos;
  if (redirect.op == Op::DuplicateOut && digits) return reads();
  return judge_write_to(target, redirect.op == Op::Append || redirect.op == Op::AppendBoth);
}

}  // namespace safety
