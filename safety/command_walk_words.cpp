// The part of the walk that looks inside words: substitutions and expansions that run or change something.
#include <algorithm>

#include "safety/command_walk.h"

namespace safety {

void CommandWalk::visit_parts(const std::vector<shell::WordPart>& parts, bool assigned) {
  for (const auto& part : parts) {
    visit_part(part);
    const bool hides = assigned && part.kind == shell::PartKind::Literal && part.quoted &&
                       (part.text.find("$(") != std::string::npos || part.text.find('`') != std::string::npos);
    if (hides) worsen_beyond_parts(changes("keeps a substitution in a variable, which arithmetic would run"));
  }
}

void CommandWalk::visit_part(const shell::WordPart& part) {
  using shell::PartKind;
  switch (part.kind) {
    case PartKind::Literal:
      return;
    case PartKind::Unreadable:
      note(part.span.of(source_), changes("an expansion that shells read in different ways"));
      break;
    case PartKind::Parameter:
      visit_parameter(part);
      break;
    case PartKind::Command:
    case PartKind::Backquote:
    case PartKind::ProcessIn:
    case PartKind::ProcessOut:
      visit_script(part);
      break;
    case PartKind::Arithmetic:
    case PartKind::Array:
      break;
  }
  for (const auto& nested : part.nested) visit_part(nested);
}

void CommandWalk::visit_parameter(const shell::WordPart& part) {
  const auto& operation = part.operation;
  if (operation.find("@P") != std::string::npos)
    worsen_beyond_parts(changes("expands a variable's value as a prompt, which runs substitutions in it"));
  if (operation.starts_with('!')) worsen_beyond_parts(changes("uses a variable whose name is in another variable"));
  const auto plain = operation.starts_with('[') ? operation.substr(1) : operation;
  if (plain.starts_with(":=") || plain.starts_with("=")) worsen_beyond_parts(changes("sets the variable " + part.text));
}

void CommandWalk::visit_script(const shell::WordPart& part) {
  if (!part.script) return;
  const auto saved = around_;
  if (part.kind == shell::PartKind::Backquote) {
    // Its spans count from the start of its own, unescaped text.
    CommandWalk inner(part.text, findings_, depth_ + 1);
    const auto judgement = inner.walk(*part.script);
    if (judgement.cls > worst_.cls) worst_ = judgement;
    beyond_parts_ = beyond_parts_ || inner.beyond_parts_;
    count_ += inner.count_;
  } else {
    Surroundings inside;
    inside.in_terminal = false;
    visit(*part.script, inside, Flow::Maybe);
  }
  around_ = saved;
}

/// How often each variable is set anywhere in the text: what is set once, in a straight line, is known afterwards.
void CommandWalk::count_assignments(const shell::Node& node) {
  for (const auto& assignment : node.assignments) {
    ++assigned_[assignment.name];
    count_in_parts(assignment.value.parts);
  }
  if (!node.name.empty()) ++assigned_[node.name];
  if (node.kind == shell::NodeKind::Simple && !node.words.empty()) {
    const auto command = node.words[0].literal().value_or("");
    static constexpr std::string_view kSetters[] = {"read",    "printf",  "mapfile", "readarray", "export",
                                                    "declare", "typeset", "local",   "readonly",  "unset",
                                                    "let",     "getopts", "command", "builtin",   "wait"};
    if (command == "eval" || command == "source" || command == "." || command == "trap") unknowable_ = true;
    if (std::find(std::begin(kSetters), std::end(kSetters), command) != std::end(kSetters)) {
      for (const auto& word : node.words) {
        const auto text = word.literal();
        if (!text) unknowable_ = true;
        if (text) assigned_[text->substr(0, text->find_first_of("=+["))] += 2;
      }
    }
  }
  for (const auto& word : node.words) count_in_parts(word.parts);
  for (const auto& child : node.children) count_assignments(child);
}

void CommandWalk::count_in_parts(const std::vector<shell::WordPart>& parts) {
  for (const auto& part : parts) {
    if (part.script) count_assignments(*part.script);
    count_in_parts(part.nested);
  }
}

}  // namespace safety
