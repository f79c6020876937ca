// The part of the lexer that reads inside words: quotes and escapes.
#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "shell/characters.h"
#include "shell/lexer.h"

namespace shell {
namespace {

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
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

}  // namespace shell
