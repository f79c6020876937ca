#include "shell/inspect.h"

#include <algorithm>

namespace shell {
namespace {

constexpr int kMaxEvalDepth = 4;

struct Walk {
  std::vector<SessionEnding>& found;
  std::string_view text;
  std::optional<Span> inside_eval;  ///< Where the outermost eval stands in the inspected text.
  int depth = 0;
};

void visit(const Node& node, Walk& walk);

std::string word_text(const Node& node, std::size_t index) {
  return index < node.words.size() ? node.words[index].literal().value_or("") : "";
}

void report(const Node& node, Walk& walk, std::string command, std::string reason) {
  walk.found.push_back({walk.inside_eval.value_or(node.span), std::move(command), std::move(reason)});
}

void visit_set(const Node& node, std::size_t first, Walk& walk) {
  for (auto i = first; i < node.words.size(); ++i) {
    const auto word = word_text(node, i);
    if (word == "--" || (word[0] != '-' && word[0] != '+')) {
      if (word == "errexit" || word == "noexec")
        report(node, walk, "set -o " + word, "a failing command ends the shell");
      continue;
    }
    if (word[0] != '-') continue;
    if (word.find('e') != std::string::npos) {
      report(node, walk, "set -e", "the next failing command would end the session");
    } else if (word.find('n') != std::string::npos) {
      report(node, walk, "set -n", "the shell would stop running commands");
    } else if (word.find('u') != std::string::npos) {
      report(node, walk, "set -u", "an unset variable would end the session in some shells");
    }
  }
}

void visit_eval(const Node& node, std::size_t first, Walk& walk) {
  std::string script;
  for (auto i = first; i < node.words.size(); ++i) script += node.words[i].literal().value_or("$x") + " ";
  if (walk.depth >= kMaxEvalDepth) return;
  const auto inner = parse(script);
  Walk below{walk.found, script, walk.inside_eval.value_or(node.span), walk.depth + 1};
  visit(inner.script, below);
}

void visit_simple(const Node& node, Walk& walk) {
  std::size_t first = 0;
  auto name = word_text(node, 0);
  // `command -v exit` only asks; `command exit` exits.
  while (name == "command" || name == "builtin" || name == "-" || name == "noglob") {
    name = word_text(node, ++first);
    if (name.starts_with('-')) return;
  }
  if (name == "exit" || name == "logout" || name == "bye") {
    report(node, walk, name, "it would close the session's shell");
  } else if (name == "return") {
    report(node, walk, name, "outside a function it stops the line in some shells and is an error in others");
  } else if (name == "exec") {
    const bool replaces = node.words.size() > first + 1;
    report(node, walk, name,
           replaces ? "it would replace the session's shell" : "it would redirect the session's shell");
  } else if (name == "suspend") {
    report(node, walk, name, "it would stop the session's shell");
  } else if (name == "set" || name == "setopt") {
    visit_set(node, first + 1, walk);
  } else if (name == "shopt" && word_text(node, 1) == "-so") {
    visit_set(node, first + 2, walk);
  } else if (name == "trap" && node.words.size() > first + 1 && word_text(node, first + 1) != "-p") {
    report(node, walk, name, "it would change what the session's shell does on signals");
  } else if (name == "kill") {
    for (const auto& word : node.words) {
      const bool self = std::any_of(word.parts.begin(), word.parts.end(), [](const WordPart& part) {
        return part.kind == PartKind::Parameter && (part.text == "$" || part.text == "BASHPID");
      });
      if (self) report(node, walk, "kill $$", "it would end the session's shell");
    }
  } else if (name == "eval") {
    visit_eval(node, first + 1, walk);
  }
}

void visit(const Node& node, Walk& walk) {
  if (node.background) return;
  switch (node.kind) {
    case NodeKind::Simple:
      return visit_simple(node, walk);
    case NodeKind::Subshell:
    case NodeKind::Coprocess:
      return;
    case NodeKind::Pipeline:
      // zsh and ksh run the last command of a pipe in the session's own shell.
      if (!node.children.empty()) visit(node.children.back(), walk);
      return;
    default:
      for (const auto& child : node.children) visit(child, walk);
  }
}

bool begins_history_event(std::string_view text, std::size_t bang) {
  if (bang + 1 >= text.size()) return false;
  const char next = text[bang + 1];
  return std::string_view(" \t\n\r=(\"").find(next) == std::string_view::npos;
}

/// How many operands a program may have and still read its standard input; nothing for programs that we do not know.
std::optional<std::size_t> operands_before_files(std::string_view program) {
  static constexpr std::string_view kReaders[] = {"cat",    "sort",   "wc",      "uniq",      "tac",  "rev", "tee",
                                                  "head",   "tail",   "cut",     "nl",        "od",   "xxd", "hexdump",
                                                  "base64", "md5sum", "sha1sum", "sha256sum", "xargs"};
  if (std::find(std::begin(kReaders), std::end(kReaders), program) != std::end(kReaders)) return 0;
  if (program == "grep" || program == "egrep" || program == "fgrep" || program == "sed" || program == "awk") return 1;
  if (program == "tr") return 2;
  if (program == "read") return 100;
  return std::nullopt;
}

bool given_input(const Node& node) {
  return std::any_of(node.redirects.begin(), node.redirects.end(), [](const Redirect& redirect) {
    return redirect.op != Op::Greater && redirect.op != Op::Append && redirect.op != Op::DuplicateOut;
  });
}

bool reads_terminal(const Node& node) {
  if (node.background || given_input(node)) return false;
  if (node.kind != NodeKind::Simple) {
    const bool one = node.kind == NodeKind::Pipeline || node.children.size() == 1;
    const bool plain = node.kind == NodeKind::Pipeline || node.kind == NodeKind::List || node.kind == NodeKind::AndOr;
    return one && plain && !node.children.empty() && reads_terminal(node.children.front());
  }
  const auto allowed = operands_before_files(word_text(node, 0));
  if (!allowed) return false;
  std::size_t operands = 0;
  for (std::size_t i = 1; i < node.words.size(); ++i) {
    const std::string word = word_text(node, i);
    // An option may bring a file or a pattern with it; then nothing is sure.
    if (word.starts_with("-") && word != "-" && *allowed > 0 && *allowed < 100) return false;
    operands += word == "-" || word.starts_with("-") ? 0 : 1;
  }
  return operands <= *allowed;
}

}  // namespace

std::vector<SessionEnding> session_ending_commands(const Node& script, std::string_view text) {
  std::vector<SessionEnding> found;
  Walk walk{found, text, std::nullopt};
  visit(script, walk);
  return found;
}

std::optional<std::size_t> find_control_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f) return i;
    if (byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> find_history_expansion(std::string_view text) {
  if (text.starts_with('^')) return 0;
  // readline knows no here-documents or comments: it sees lines with quotes, so this walks characters, not tokens.
  bool in_single = false;
  bool in_double = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_single) {
      in_single = c != '\'';
    } else if (c == '\\') {
      ++i;
    } else if (c == '\'' && !in_double) {
      in_single = true;
    } else if (c == '"') {
      in_double = !in_double;
    } else if (c == '!' && begins_history_event(text, i) && !(i > 0 && (text[i - 1] == '$' || text[i - 1] == '{'))) {
      return i;
    }
  }
  return std::nullopt;
}

Inspection inspect(std::string_view text) {
  const auto parsed = parse(text);
  Inspection result;
  result.state = parsed.state;
  result.open = parsed.problem.open;
  result.reason = parsed.problem.message;
  result.has_here_doc = parsed.has_here_doc;
  const auto last = text.find_last_not_of('\n');
  result.multi_line = last != std::string_view::npos && text.substr(0, last).find('\n') != std::string_view::npos;
  result.control_character = find_control_character(text);
  result.history_expansion = find_history_expansion(text);
  result.session_ending = session_ending_commands(parsed.script, text);
  result.reads_terminal = reads_terminal(parsed.script);
  result.empty = true;
  for (const auto& lexeme : parsed.lexemes) {
    if (lexeme.nesting > 0 || lexeme.op == Op::Newline) continue;
    if (lexeme.kind == LexemeKind::Comment) {
      result.trailing_comment = lexeme.span;
      continue;
    }
    if (lexeme.span.end < result.code_end) continue;
    result.empty = false;
    result.trailing_comment.reset();
    result.code_end = lexeme.span.end;
    result.ending = lexeme.op == Op::Semicolon   ? Ending::Semicolon
                    : lexeme.op == Op::Ampersand ? Ending::Ampersand
                                                 : Ending::Plain;
  }
  return result;
}

}  // namespace shell
