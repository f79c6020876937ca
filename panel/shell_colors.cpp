#include "panel/shell_colors.h"

#include "shell/parser.h"

namespace panel {
namespace {

constexpr std::size_t kLongestColoured = 16 * 1024;  ///< Longer text is shown plain: nobody reads its colours.

/// Whether the word after this operator is the name of a command.
bool begins_command(shell::Op op) {
  switch (op) {
    case shell::Op::Newline:
    case shell::Op::Semicolon:
    case shell::Op::Ampersand:
    case shell::Op::Pipe:
    case shell::Op::PipeBoth:
    case shell::Op::And:
    case shell::Op::Or:
    case shell::Op::OpenParen:
      return true;
    default:
      return false;
  }
}

bool is_keyword(std::string_view word) {
  for (const std::string_view name : {"if", "then", "else", "elif", "fi", "do", "done", "for", "while", "until", "case",
                                      "esac", "in", "function", "{", "}", "!", "time"})
    if (word == name) return true;
  return false;
}

bool is_assignment(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  return word.substr(0, equals).find_first_of("\"'$/-") == std::string_view::npos;
}

/// A word with its quoted and expanded parts told apart; a rough cut that only looks depend on.
void add_word(Spans& out, std::string_view word, Role role) {
  std::size_t at = 0;
  while (at < word.size()) {
    const char c = word[at];
    std::size_t end = at + 1;
    Role part = role;
    if (c == '\'' || c == '"') {
      while (end < word.size() && word[end] != c) end += word[end] == '\\' && c == '"' ? 2 : 1;
      end = std::min(end + 1, word.size());
      part = Role::string;
    } else if (c == '$') {
      while (end < word.size() && (isalnum(static_cast<unsigned char>(word[end])) || word[end] == '_' ||
                                   (end == at + 1 && word[end] == '{') || word[end] == '}'))
        ++end;
      part = Role::variable;
    } else {
      while (end < word.size() && word[end] != '\'' && word[end] != '"' && word[end] != '$')
        end += word[end] == '\\' ? 2 : 1;
      end = std::min(end, word.size());
    }
    append(out, word.substr(at, end - at), part);
    at = end;
  }
}

}  // namespace

Spans color_shell(std::string_view text) {
  Spans out;
  if (text.size() > kLongestColoured) return {{std::string(text), Role::code, 0}};
  const shell::Parsed parsed = shell::parse(text);
  std::size_t at = 0;
  bool command_next = true;
  for (const auto& lexeme : parsed.lexemes) {
    if (lexeme.nesting > 0 || lexeme.span.begin < at || lexeme.span.end > text.size()) continue;
    append(out, text.substr(at, lexeme.span.begin - at), Role::text);
    const std::string_view word = text.substr(lexeme.span.begin, lexeme.span.end - lexeme.span.begin);
    at = lexeme.span.end;
    if (lexeme.kind == shell::LexemeKind::Operator) {
      append(out, word, Role::operator_);
      command_next = begins_command(lexeme.op);
    } else if (lexeme.kind == shell::LexemeKind::Comment) {
      append(out, word, Role::comment);
    } else if (lexeme.kind == shell::LexemeKind::HereDocBody) {
      append(out, word, Role::string);
    } else if (is_keyword(word) && command_next) {
      append(out, word, Role::operator_);
    } else {
      const bool names = command_next && !is_assignment(word);
      add_word(out, word, names ? Role::command : word.starts_with('-') ? Role::option : Role::text);
      if (names) command_next = false;
    }
  }
  append(out, text.substr(at), Role::text);
  return out;
}

}  // namespace panel
