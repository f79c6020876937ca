#include "safety/argument.h"

#include <algorithm>
#include <optional>

namespace safety {
namespace {

// Beyond these a word counts as unknown; no person writes such words, and looking at each takes time.
constexpr std::size_t kMaxExpansions = 100;
constexpr std::size_t kMaxBraces = 64;

/// A character of a word, or an unknown stretch of it.
struct Atom {
  char c = 0;
  bool quoted = false;
  bool unknown = false;
  bool blank = false;  ///< Splits the word: $IFS, or a blank in an unquoted value.
  bool computed = false;
  bool operand_only = false;
};
using Atoms = std::vector<Atom>;

void add_text(Atoms& atoms, std::string_view text, bool quoted, bool computed) {
  for (const char c : text) {
    const bool blank = computed && !quoted && (c == ' ' || c == '\n' || c == '\t');
    atoms.push_back({.c = c, .quoted = quoted, .blank = blank, .computed = computed});
  }
}

/// What `$(echo …)` and `$(printf …)` with fixed arguments give: names are hidden that way.
std::optional<std::string> constant_output(const shell::Node& script) {
  if (script.children.size() != 1) return std::nullopt;
  const auto& command = script.children[0];
  if (command.kind != shell::NodeKind::Simple || command.words.size() < 2 || !command.redirects.empty())
    return std::nullopt;
  const auto name = command.words[0].literal();
  if (name != "echo" && name != "printf") return std::nullopt;
  std::string out;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const auto word = command.words[i].literal();
    if (!word || word->starts_with('-')) return std::nullopt;
    if (i > 1) out += ' ';
    out += *word;
  }
  if (name == "echo") return out;
  if (command.words.size() != 2 || out.find('%') != std::string::npos) return std::nullopt;
  std::string decoded;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] != '\\' || i + 1 >= out.size()) {
      decoded += out[i];
      continue;
    }
    const bool hex = out[i + 1] == 'x';
    const auto first = i + (hex ? 2 : 1);
    const auto digits = out.find_first_not_of(hex ? "0123456789abcdefABCDEF" : "01234567", first);
    const auto length =
        std::min({digits == std::string::npos ? out.size() - first : digits - first, std::size_t(hex ? 2 : 3)});
    if (length == 0) return std::nullopt;
    decoded += static_cast<char>(std::stoi(out.substr(first, length), nullptr, hex ? 16 : 8));
    i = first + length - 1;
  }
  return decoded;
}

bool says(const shell::Node& command, std::size_t index, std::string_view text) {
  return index < command.words.size() && command.words[index].literal() == text;
}

/// Substitutions that give plain words without dashes in front, whoever controls the host's data: process numbers,
/// container ids, names of cluster objects.
bool gives_harmless_words(const shell::Node& script) {
  if (script.children.size() != 1) return false;
  const auto& command = script.children[0];
  if (command.kind != shell::NodeKind::Simple || command.words.empty() || !command.assignments.empty()) return false;
  const auto has = [&](std::initializer_list<std::string_view> options) {
    return std::any_of(command.words.begin(), command.words.end(), [&](const shell::Word& word) {
      return std::find(options.begin(), options.end(), word.literal().value_or("")) != options.end();
    });
  };
  if (says(command, 0, "pidof") || says(command, 0, "nproc") || says(command, 0, "whoami")) return true;
  if (says(command, 0, "pgrep")) {
    return std::none_of(command.words.begin() + 1, command.words.end(), [](const shell::Word& word) {
      const auto text = word.literal();
      return !text || text->starts_with("--") ||
             (text->starts_with('-') && text->find_first_of("al") != std::string::npos);
    });
  }
  if (says(command, 0, "docker") && says(command, 1, "ps")) return has({"-q", "-aq", "-qa"}) && !has({"--format"});
  return says(command, 0, "kubectl") && has({"get"}) && (has({"name"}) || has({"-oname", "--output=name"})) &&
         has({"-o", "-oname", "--output=name"});
}

bool never_option(const std::vector<std::string>& values) {
  return std::none_of(values.begin(), values.end(), [](const std::string& value) {
    return value.empty() || value[0] == '-' || value.find_first_of(" \t\n*?[") == 0;
  });
}

bool plain(const std::string& value) {
  return value.find_first_of(" \t\n*?[") == std::string::npos;
}

void add_variable(Atoms& atoms, const shell::WordPart& part, const Variables& variables) {
  if (part.operation.empty() && part.text == "HOME") return add_text(atoms, "~", true, true);
  if (part.operation.empty() && part.text == "IFS" && !part.quoted) {
    atoms.push_back({.c = ' ', .blank = true, .computed = true});
    return;
  }
  const auto found = part.operation.empty() ? variables.find(part.text) : variables.end();
  Atom unknown{.quoted = part.quoted, .unknown = true, .computed = true};
  if (found != variables.end() && found->second.known) {
    const auto& values = found->second.values;
    if (values.size() == 1) return add_text(atoms, values[0], part.quoted, true);
    unknown.operand_only = never_option(values);
    // Values without blanks or globs stay one word each, quoted or not.
    if (std::all_of(values.begin(), values.end(), plain)) unknown.quoted = true;
  }
  if (found != variables.end() && found->second.harmless) unknown.quoted = unknown.operand_only = true;
  atoms.push_back(unknown);
}

Atoms atoms_of(const shell::Word& word, const Variables& variables) {
  Atoms atoms;
  for (const auto& part : word.parts) {
    if (part.kind == shell::PartKind::Literal) {
      add_text(atoms, part.text, part.quoted, false);
    } else if (part.kind == shell::PartKind::Parameter) {
      add_variable(atoms, part, variables);
    } else if (part.kind == shell::PartKind::ProcessIn || part.kind == shell::PartKind::ProcessOut) {
      add_text(atoms, "/dev/fd/63", true, true);
    } else if (part.kind == shell::PartKind::Arithmetic) {
      atoms.push_back({.quoted = true, .unknown = true, .computed = true});
    } else {
      const auto constant = part.script ? constant_output(*part.script) : std::nullopt;
      if (constant) {
        add_text(atoms, *constant, part.quoted, true);
      } else if (part.script && gives_harmless_words(*part.script)) {
        atoms.push_back({.quoted = true, .unknown = true, .computed = true, .operand_only = true});
      } else {
        atoms.push_back({.quoted = part.quoted, .unknown = true, .computed = true});
      }
    }
  }
  return atoms;
}

bool is_active(const Atom& atom, char c) {
  return atom.c == c && !atom.quoted && !atom.unknown && !atom.computed;
}

/// The brace group that the shell would expand first: its ends and the commas directly inside it.
struct Braces {
  std::size_t open = 0, close = 0;
  std::vector<std::size_t> commas;
};

std::optional<Braces> find_braces(const Atoms& atoms) {
  for (std::size_t open = 0; open < atoms.size(); ++open) {
    if (!is_active(atoms[open], '{') || (open > 0 && atoms[open - 1].c == '$')) continue;
    Braces braces{open, 0, {}};
    int depth = 0;
    for (std::size_t i = open; i < atoms.size(); ++i) {
      if (is_active(atoms[i], '{')) ++depth;
      if (is_active(atoms[i], '}') && --depth == 0) {
        braces.close = i;
        break;
      }
      if (depth == 1 && is_active(atoms[i], ',')) braces.commas.push_back(i);
    }
    if (braces.close == 0) return std::nullopt;
    if (!braces.commas.empty()) return braces;
    // {1..9}: numbers or letters, which cannot be options; only their count is unknown.
    for (auto i = open + 1; i + 1 < braces.close; ++i) {
      if (atoms[i].c == '.' && atoms[i + 1].c == '.') return braces;
    }
  }
  return std::nullopt;
}

/// Replaces brace groups until none is left. False when there are too many results to look at.
bool expand_braces(Atoms atoms, std::vector<Atoms>& out) {
  const auto braces_in_text =
      std::count_if(atoms.begin(), atoms.end(), [](const Atom& a) { return is_active(a, '{'); });
  if (braces_in_text > static_cast<std::ptrdiff_t>(kMaxBraces)) return false;
  std::vector<Atoms> work{std::move(atoms)};
  while (!work.empty()) {
    if (work.size() + out.size() > kMaxExpansions) return false;
    Atoms current = std::move(work.back());
    work.pop_back();
    const auto braces = find_braces(current);
    if (!braces) {
      out.push_back(std::move(current));
      continue;
    }
    const auto at = [&](std::size_t i) { return current.begin() + static_cast<std::ptrdiff_t>(i); };
    if (braces->commas.empty()) {
      Atoms range(current.begin(), at(braces->open));
      const bool option = range.empty() && current[1].c == '-';
      range.push_back({.quoted = true, .unknown = true, .computed = true, .operand_only = !option});
      range.insert(range.end(), at(braces->close + 1), current.end());
      work.push_back(range);
      continue;
    }
    auto from = braces->open + 1;
    std::vector<Atoms> choices;
    for (std::size_t i = 0; i <= braces->commas.size(); ++i) {
      const auto to = i < braces->commas.size() ? braces->commas[i] : braces->close;
      Atoms choice(current.begin(), at(braces->open));
      choice.insert(choice.end(), at(from), at(to));
      choice.insert(choice.end(), at(braces->close + 1), current.end());
      choices.push_back(std::move(choice));
      from = to + 1;
    }
    // The stack gives them back in the order of the text.
    for (auto it = choices.rbegin(); it != choices.rend(); ++it) work.push_back(std::move(*it));
  }
  return true;
}

void add_argument(const Atoms& atoms, std::size_t begin, std::size_t end, std::vector<Argument>& out) {
  Argument argument;
  for (std::size_t i = begin; i < end; ++i) {
    const auto& atom = atoms[i];
    argument.computed = argument.computed || atom.computed;
    if (atom.unknown) {
      if (argument.known) argument.operand_only = argument.text.empty() && atom.operand_only;
      argument.known = false;
      argument.splits = argument.splits || !atom.quoted;
      argument.tail.clear();
      continue;
    }
    (argument.known ? argument.text : argument.tail) += atom.c;
    if (!atom.quoted && (atom.c == '*' || atom.c == '?' || (atom.c == '[' && end - begin > 1))) argument.glob = true;
  }
  out.push_back(std::move(argument));
}

}  // namespace

bool Argument::may_be_option() const {
  if (known) return glob && !text.empty() && (text[0] == '*' || text[0] == '?' || text[0] == '[');
  if (operand_only && !splits) return false;
  return splits || text.empty();
}

void append_arguments(const shell::Word& word, const Variables& variables, std::vector<Argument>& out) {
  std::vector<Atoms> words;
  auto atoms = atoms_of(word, variables);
  if (atoms.empty() && !word.parts.empty() && !word.quoted()) return;
  if (!expand_braces(std::move(atoms), words)) {
    out.push_back({.known = false, .splits = true, .computed = true});
    return;
  }
  for (const auto& one : words) {
    std::size_t begin = 0;
    const bool whole = std::none_of(one.begin(), one.end(), [](const Atom& atom) { return atom.blank; });
    for (std::size_t i = 0; i <= one.size(); ++i) {
      if (i < one.size() && !one[i].blank) continue;
      if (i > begin || whole) add_argument(one, begin, i, out);
      begin = i + 1;
    }
  }
}

}  // namespace safety
