// The part of the lexer that reads what begins with a dollar sign, and arrays and subscripts.
#include <algorithm>
#include <utility>

#include "shell/characters.h"
#include "shell/lexer.h"

namespace shell {
namespace {

bool is_special_parameter(char c) {
  return c != '\0' && std::string_view("@*#?-$!").find(c) != std::string_view::npos;
}

}  // namespace

void Lexer::read_dollar(std::vector<WordPart>& parts, bool quoted) {
  const char next = look(1);
  if (next == '(') {
    if (look(2) == '(' && try_arithmetic(parts, quoted)) return;
    const auto begin = pos_;
    ++pos_;
    skip_continuations();
    return read_command(parts, PartKind::Command, begin, quoted);
  }
  if (next == '{') return read_braced_parameter(parts, quoted);
  if (next == '[') return read_old_arithmetic(parts, quoted);
  if (next == '\'' && !quoted) return read_ansi_c_quotes(parts);
  if (next == '"' && !quoted) {
    ++pos_;
    skip_continuations();
    return read_double_quotes(parts);
  }
  if (is_name_start(next) || is_digit(next) || is_special_parameter(next)) return read_parameter(parts, quoted);
  add_char(parts, '$', quoted);
  ++pos_;
}

void Lexer::read_parameter(std::vector<WordPart>& parts, bool quoted) {
  WordPart part{.kind = PartKind::Parameter, .quoted = quoted, .span = {pos_, pos_}};
  ++pos_;
  const bool is_long = is_name_start(current());
  do {
    part.text += current();
    ++pos_;
  } while (is_long && is_name_char(current()));
  part.span.end = pos_;
  parts.push_back(std::move(part));
}

void Lexer::read_parameter_name(WordPart& part) {
  const char c = current();
  if (is_name_start(c) || is_digit(c)) {
    const bool digits = is_digit(c);
    while (digits ? is_digit(current()) : is_name_char(current())) {
      part.text += current();
      ++pos_;
    }
  } else if (is_special_parameter(c)) {
    part.text += c;
    ++pos_;
  }
}

void Lexer::read_braced_parameter(std::vector<WordPart>& parts, bool quoted) {
  WordPart part{.kind = PartKind::Parameter, .quoted = quoted, .span = {pos_, pos_}};
  ++pos_;
  skip_continuations();
  ++pos_;
  if (!enter()) return;
  const char first = current();
  const char second = look(1);
  // ${#x} is a length and ${!x} another variable's value; ${#}, ${!}, ${#-…} are parameters of that name.
  if ((first == '#' || first == '!') && (is_name_char(second) || (first == '#' && (second == '@' || second == '*')))) {
    part.operation += first;
    ++pos_;
  }
  read_parameter_name(part);
  if (part.text.empty()) part.kind = PartKind::Unreadable;
  if (current() == '[') {
    part.operation += '[';
    ++pos_;
    read_parts(part.nested, Until::Subscript, false);
    if (!failed_ && current() == ']') ++pos_;
  }
  read_operation(part, quoted);
  leave();
  if (failed_) return;
  if (at_end()) {
    fail("a ${ is not closed", part.span.begin, Open::Parameter);
    return;
  }
  ++pos_;
  part.span.end = pos_;
  parts.push_back(std::move(part));
}

/// What follows the name in ${name…}, up to the closing brace.
void Lexer::read_operation(WordPart& part, bool quoted) {
  while (!failed_ && !at_end()) {
    const char c = current();
    if (c == '}' || std::string_view(":-=?+#%/^,@!*~").find(c) == std::string_view::npos || part.operation.size() > 3) {
      break;
    }
    part.operation += c;
    ++pos_;
    if (c == '@' && current() != '\0' && current() != '}') {
      part.operation += current();
      ++pos_;
      break;
    }
  }
  // ${x y}, ${ cmd; }, ${(e)x}: an error in one shell, a command or a flag in another.
  if (part.operation.find_first_not_of("#![") == std::string::npos && current() != '}')
    part.kind = PartKind::Unreadable;
  const auto& op = part.operation;
  const bool pattern = op.find_first_of("#%/^,", op.starts_with('#') ? 1 : 0) != std::string::npos;
  const auto begin = pos_;
  read_parts(part.nested, Until::Brace, quoted && !pattern);
  if (quoted && text_.substr(begin, pos_ - begin).find('\'') != std::string_view::npos) {
    hazard_ = "shells disagree about single quotes inside \"${…}\"";
  }
}

bool Lexer::try_arithmetic(std::vector<WordPart>& parts, bool quoted) {
  skip_continuations();
  const auto place = pos_;
  if (not_arithmetic_.contains(place)) return false;
  auto saved = mark();
  for (int i = 0; i < 3; ++i) {
    skip_continuations();
    ++pos_;
  }
  WordPart part{.kind = PartKind::Arithmetic, .quoted = quoted, .span = {place, place}};
  if (enter() && read_arithmetic_body(part)) {
    leave();
    parts.push_back(std::move(part));
    return true;
  }
  back_to(std::move(saved));
  not_arithmetic_.insert(place);
  return false;
}

/// From after `((` to after `))`.
bool Lexer::read_arithmetic_body(WordPart& part) {
  // Bounded, because `((((…` is tried as arithmetic at every level before it is taken for groups.
  static constexpr std::size_t kLongest = 4096;
  const auto begin = pos_;
  const auto limit = std::exchange(end_, std::min(end_, pos_ + kLongest));
  read_parts(part.nested, Until::ArithmeticEnd, false);
  const bool cut_off = failed_ || at_end();
  end_ = limit;
  if (cut_off) return false;
  const auto close = pos_;
  if (look(1) != ')') return false;
  part.text = text_.substr(begin, close - begin);
  ++pos_;
  skip_continuations();
  ++pos_;
  part.span.end = pos_;
  return true;
}

void Lexer::read_old_arithmetic(std::vector<WordPart>& parts, bool quoted) {
  // Only bash and zsh know $[ … ]; elsewhere it is text, in which a > would be a redirection.
  WordPart part{.kind = PartKind::Unreadable, .quoted = quoted, .span = {pos_, pos_}};
  ++pos_;
  skip_continuations();
  ++pos_;
  if (!enter()) return;
  read_parts(part.nested, Until::Bracket, quoted);
  leave();
  if (failed_) return;
  if (at_end()) {
    fail("a $[ is not closed", part.span.begin, Open::Arithmetic);
    return;
  }
  part.span.end = ++pos_;
  parts.push_back(std::move(part));
}

/// `(` … `)` of a substitution; the cursor stands on the parenthesis.
void Lexer::read_command(std::vector<WordPart>& parts, PartKind kind, std::size_t begin, bool quoted) {
  ++pos_;
  if (!enter()) return;
  WordPart part{.kind = kind, .quoted = quoted, .span = {begin, begin}};
  auto outer_docs = std::exchange(pending_, {});
  const bool arrays = std::exchange(arrays_allowed_, false);
  ++substitutions_;
  part.script = parse_inside(*this);
  --substitutions_;
  arrays_allowed_ = arrays;
  leave();
  if (failed_) {
    // Inside an unfinished substitution nothing more exact is known than what is open in it.
    if (at_end() && problem_.open == Open::Nothing && problem_.at >= end_) problem_.open = Open::CommandSubstitution;
    return;
  }
  if (!pending_.empty()) {
    fail("a here-document is announced inside $( ) but its text does not stand there", begin);
    return;
  }
  pending_ = std::move(outer_docs);
  part.span.end = pos_;
  parts.push_back(std::move(part));
}

/// Whether `parts` is `name=` or `name+=` (or name[…]=), after which a parenthesis opens an array.
bool Lexer::array_starts(const std::vector<WordPart>& parts) {
  if (parts.empty() || parts.back().kind != PartKind::Literal || parts.back().quoted) return false;
  const auto& first = parts.front();
  const std::string_view last = parts.back().text;
  if (first.kind != PartKind::Literal || first.quoted || !last.ends_with('=')) return false;
  auto name = std::string_view(first.text).substr(0, first.text.find_first_of("+=["));
  return is_name(name) && (parts.size() == 1 ? first.text.find('=') == first.text.size() - 1 : true);
}

void Lexer::read_array(std::vector<WordPart>& parts) {
  const auto begin = pos_;
  ++pos_;
  if (!enter()) return;
  WordPart part{.kind = PartKind::Array, .span = {begin, begin}};
  const bool arrays = std::exchange(arrays_allowed_, false);
  for (;;) {
    Token token = take();
    if (failed_) break;
    if (token.kind == Token::Kind::End) {
      fail("an array is not closed", begin, Open::Array);
      break;
    }
    if (token.op == Op::CloseParen) break;
    if (token.op == Op::Newline) continue;
    if (token.kind != Token::Kind::Word && token.kind != Token::Kind::IoNumber) {
      fail("an array may hold words only", token.span.begin);
      break;
    }
    for (auto& element : token.word.parts) part.nested.push_back(std::move(element));
  }
  arrays_allowed_ = arrays;
  leave();
  part.span.end = pos_;
  parts.push_back(std::move(part));
}

/// `name[…]` where an assignment may stand: blanks inside the brackets belong to the word.
void Lexer::read_subscript(std::vector<WordPart>& parts) {
  const bool after_name =
      parts.size() == 1 && parts[0].kind == PartKind::Literal && !parts[0].quoted && is_name(parts[0].text);
  const auto begin = pos_;
  add_char(parts, '[', false);
  ++pos_;
  if (!after_name) return;
  read_parts(parts, Until::Bracket, false);
  if (!failed_ && at_end()) fail("a subscript is not closed", begin, Open::Array);
}

}  // namespace shell
