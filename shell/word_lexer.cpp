// The half of the lexer that reads inside words: quotes, escapes and expansions.
#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "shell/lexer.h"

namespace shell {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_name_char(char c) {
  return is_name_start(c) || is_digit(c);
}
bool is_special_parameter(char c) {
  return c != '\0' && std::string_view("@*#?-$!").find(c) != std::string_view::npos;
}
int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_name(std::string_view text) {
  if (text.empty() || !is_name_start(text[0])) return false;
  for (const char c : text) {
    if (!is_name_char(c)) return false;
  }
  return true;
}

/// Reads up to `most` digits of a number in base 8 or 16 at `text[at]`.
unsigned read_number(std::string_view text, std::size_t& at, int base, int most) {
  unsigned value = 0;
  for (; most > 0 && at < text.size(); --most, ++at) {
    const int digit = hex_value(text[at]);
    if (digit < 0 || digit >= base) break;
    value = value * static_cast<unsigned>(base) + static_cast<unsigned>(digit);
  }
  return value;
}

/// Decodes the escape after a backslash in $'…'; `at` stands on the character after the backslash.
void decode_ansi_c(std::string_view text, std::size_t& at, std::string& out) {
  static constexpr std::string_view kLetters = "abeEfnrtv\\'\"?";
  static constexpr std::string_view kValues = "\a\b\x1b\x1b\f\n\r\t\v\\'\"?";
  const char c = text[at];
  if (const auto letter = kLetters.find(c); letter != std::string_view::npos) {
    out += kValues[letter];
    ++at;
  } else if (c >= '0' && c <= '7') {
    out += static_cast<char>(read_number(text, at, 8, 3));
  } else if (c == 'x') {
    ++at;
    out += static_cast<char>(read_number(text, at, 16, 2));
  } else if (c == 'u' || c == 'U') {
    ++at;
    base::append_utf8(out, read_number(text, at, 16, c == 'u' ? 4 : 8));
  } else if (c == 'c' && at + 1 < text.size()) {
    out += static_cast<char>(text[at + 1] & 0x1f);
    at += 2;
  } else {
    out += '\\';
    out += c;
    ++at;
  }
}

}  // namespace

void Lexer::read_parts(std::vector<WordPart>& parts, Until until, bool quoted) {
  int depth = 0;
  while (!failed_) {
    const char c = current();
    if (at_end() || ends_here(until, depth)) return;
    if (until == Until::ArithmeticEnd || until == Until::Regex) depth += (c == '(') - (c == ')');
    if (until == Until::Bracket || until == Until::Subscript) depth += (c == '[') - (c == ']');
    read_piece(parts, until, quoted);
  }
}

bool Lexer::ends_here(Until until, int depth) {
  const char c = current();
  const bool blank = c == ' ' || c == '\t' || c == '\n';
  switch (until) {
    case Until::WordEnd:
      if (c == '<' || c == '>') return look(1) != '(';
      return blank || c == ';' || c == '&' || c == '|' || c == ')' || (c == '(' && !arrays_allowed_);
    case Until::DoubleQuote:
      return c == '"';
    case Until::Brace:
      return c == '}';
    case Until::ArithmeticEnd:
      return c == ')' && depth == 0;
    case Until::Bracket:
      return c == ']' && depth == 0;
    case Until::Subscript:
      return c == '}' || (c == ']' && depth == 0);
    case Until::Regex:
      return depth <= 0 && (blank || c == ')' || c == ';' || c == '&' || c == '<' || c == '>');
    case Until::TextEnd:
      return false;
  }
  return true;
}

void Lexer::read_piece(std::vector<WordPart>& parts, Until until, bool quoted) {
  const char c = current();
  const bool bare_text = until == Until::TextEnd;  // quotes mean nothing in a here-document
  if (c == '\\') return read_backslash(parts, until, quoted);
  if (c == '\'' && !quoted) return read_single_quotes(parts);
  if (c == '"' && !bare_text) return read_double_quotes(parts);
  if (c == '`') return read_backquotes(parts, quoted);
  if (c == '$') return read_dollar(parts, quoted);
  if (!quoted && (until == Until::WordEnd || until == Until::Brace)) {
    if ((c == '<' || c == '>') && look(1) == '(') {
      const auto begin = pos_;
      ++pos_;
      skip_continuations();
      return read_command(parts, c == '<' ? PartKind::ProcessIn : PartKind::ProcessOut, begin, false);
    }
  }
  if (until == Until::WordEnd && arrays_allowed_) {
    if (c == '[') return read_subscript(parts);
    if (c == '(') {
      if (array_starts(parts)) return read_array(parts);
      // Not an array after all: the word ends here and the parenthesis is the parser's.
      arrays_allowed_ = false;
      return;
    }
  }
  add_char(parts, c, quoted);
  ++pos_;
}

void Lexer::add_char(std::vector<WordPart>& parts, char c, bool quoted) {
  if (parts.empty() || parts.back().kind != PartKind::Literal || parts.back().quoted != quoted || parts.back().ansi_c) {
    parts.push_back({.quoted = quoted, .span = {pos_, pos_}});
  }
  parts.back().text += c;
  parts.back().span.end = pos_ + 1;
}

void Lexer::read_backslash(std::vector<WordPart>& parts, Until until, bool quoted) {
  if (pos_ + 1 >= end_) {
    if (until == Until::TextEnd) {
      add_char(parts, '\\', true);
      ++pos_;
      return;
    }
    fail("the text ends in a backslash", pos_, Open::Backslash);
    return;
  }
  const char next = text_[pos_ + 1];
  if (quoted) {
    std::string_view special = "$`\"\\";
    if (until == Until::TextEnd) special = "$`\\";
    if (until == Until::Brace) special = "$`\"\\}'";
    if (special.find(next) == std::string_view::npos) {
      add_char(parts, '\\', true);
      ++pos_;
      return;
    }
  }
  ++pos_;
  add_char(parts, next, true);
  ++pos_;
}

void Lexer::read_single_quotes(std::vector<WordPart>& parts) {
  const auto begin = pos_;
  const auto close = text_.substr(0, end_).find('\'', pos_ + 1);
  if (close == std::string_view::npos) {
    fail("a single quote is not closed", begin, Open::SingleQuote);
    return;
  }
  // fish reads \' inside single quotes as a quote: what is data here would be a command there.
  if (text_[close - 1] == '\\') hazard_ = "a backslash before a closing single quote means something else in fish";
  parts.push_back({.quoted = true, .span = {begin, close + 1}});
  parts.back().text = text_.substr(begin + 1, close - begin - 1);
  pos_ = close + 1;
}

void Lexer::read_double_quotes(std::vector<WordPart>& parts) {
  const auto begin = pos_;
  ++pos_;
  const auto count = parts.size();
  parts.push_back({.quoted = true, .span = {begin, begin + 1}});
  read_parts(parts, Until::DoubleQuote, true);
  if (failed_) return;
  if (at_end()) {
    fail("a double quote is not closed", begin, Open::DoubleQuote);
    return;
  }
  ++pos_;
  if (parts.size() == count + 1) parts.back().span.end = pos_;
}

void Lexer::read_ansi_c_quotes(std::vector<WordPart>& parts) {
  const auto begin = pos_;
  skip_continuations();
  ++pos_;  // the dollar sign
  skip_continuations();
  ++pos_;  // the quote
  WordPart part{.quoted = true, .ansi_c = true, .span = {begin, begin}};
  const auto text = text_.substr(0, end_);
  while (pos_ < end_ && text[pos_] != '\'') {
    if (text[pos_] != '\\' || pos_ + 1 >= end_) {
      part.text += text[pos_++];
      continue;
    }
    ++pos_;
    // A shell without $'…' ends the string at this quote and runs what follows.
    if (text[pos_] == '\'') hazard_ = "an escaped quote inside $'…' ends the string in shells that lack that form";
    decode_ansi_c(text, pos_, part.text);
  }
  if (at_end()) {
    fail("a $' quote is not closed", begin, Open::DollarQuote);
    return;
  }
  ++pos_;
  part.span.end = pos_;
  // bash cuts such a string at a NUL.
  if (const auto nul = part.text.find('\0'); nul != std::string::npos) part.text.resize(nul);
  parts.push_back(std::move(part));
}

void Lexer::read_backquotes(std::vector<WordPart>& parts, bool quoted) {
  WordPart part{.kind = PartKind::Backquote, .quoted = quoted, .span = {pos_, pos_}};
  for (++pos_; pos_ < end_ && text_[pos_] != '`'; ++pos_) {
    if (text_[pos_] == '\\' && pos_ + 1 < end_) {
      const char next = text_[pos_ + 1];
      if (next == '`' || next == '\\' || next == '$' || (quoted && next == '"')) ++pos_;
    }
    part.text += text_[pos_];
  }
  if (at_end()) {
    fail("a backquote is not closed", part.span.begin, Open::Backquote);
    return;
  }
  part.span.end = ++pos_;
  if (!enter()) return;
  part.script = parse_quoted_script(part.text, nesting_, comments_, hazard_);
  leave();
  // Shells read the inside when they run it, so its faults do not make the outer text wrong.
  if (!part.script) part.kind = PartKind::Unreadable;
  parts.push_back(std::move(part));
}

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
  const auto begin = pos_;
  read_parts(part.nested, Until::ArithmeticEnd, false);
  if (failed_ || at_end()) return false;
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
