#include "shell/lexer.h"

#include <algorithm>
#include <utility>

#include "shell/characters.h"

namespace shell {

std::optional<std::string> Word::literal() const {
  std::string value;
  for (const auto& part : parts) {
    if (part.kind != PartKind::Literal) return std::nullopt;
    value += part.text;
  }
  return value;
}

std::string_view Word::bare() const {
  if (parts.size() != 1 || parts[0].kind != PartKind::Literal || parts[0].quoted) return {};
  return parts[0].text;
}

bool Word::quoted() const {
  return std::any_of(parts.begin(), parts.end(), [](const WordPart& part) { return part.quoted; });
}

Lexer::Lexer(std::string_view text, int nesting, bool comments)
    : text_(text), end_(text.size()), nesting_(nesting), comments_(comments) {
  // A shell drops NUL bytes or stops at them: what would run is not what was read.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) fail("a NUL byte in the command", nul);
}

void Lexer::fail(std::string message, std::size_t at, Open open) {
  if (failed_) return;
  failed_ = true;
  problem_ = {std::move(message), open, at};
}

bool Lexer::enter() {
  if (nesting_ >= kMaxNesting) {
    fail("commands are nested more than " + std::to_string(kMaxNesting) + " levels deep", pos_);
    return false;
  }
  ++nesting_;
  return true;
}

const Token& Lexer::peek() {
  if (!have_token_) {
    read_token();
    have_token_ = true;
  }
  if (failed_) token_ = Token{Token::Kind::End, Op::None, {end_, end_}, {}};
  return token_;
}

Token Lexer::take() {
  peek();
  have_token_ = false;
  return std::move(token_);
}

/// A backslash before a line feed joins two lines wherever the shell is not inside single quotes or a comment.
void Lexer::skip_continuations() {
  while (pos_ + 1 < end_ && text_[pos_] == '\\' && text_[pos_ + 1] == '\n') pos_ += 2;
}

char Lexer::current() {
  skip_continuations();
  return pos_ < end_ ? text_[pos_] : '\0';
}

char Lexer::look(std::size_t ahead) {
  const auto saved = pos_;
  skip_continuations();
  for (; ahead > 0 && pos_ < end_; --ahead) {
    ++pos_;
    skip_continuations();
  }
  const char c = pos_ < end_ ? text_[pos_] : '\0';
  pos_ = saved;
  return c;
}

void Lexer::read_token() {
  token_ = Token{Token::Kind::End, Op::None, {end_, end_}, {}};
  if (failed_) return;
  skip_blanks_and_comment();
  if (at_end()) {
    if (!pending_.empty()) {
      fail("the here-document needs its closing line " + pending_.front()->delimiter, end_, Open::HereDoc);
    }
    return;
  }
  if (read_operator() || read_io_number()) return;
  read_word();
}

void Lexer::skip_blanks_and_comment() {
  while (current() == ' ' || current() == '\t') ++pos_;
  if (current() != '#' || !comments_) return;
  const auto begin = pos_;
  const auto line_end = text_.substr(0, end_).find('\n', pos_);
  pos_ = line_end == std::string_view::npos ? end_ : line_end;
  lexemes_.push_back({LexemeKind::Comment, Op::None, static_cast<std::uint8_t>(substitutions_), {begin, pos_}});
}

/// The operator at the cursor, which is moved past it. Op::None moves nothing.
Op Lexer::scan_operator() {
  struct Spelling {
    std::string_view text;
    Op op;
  };
  // Longer spellings first.
  static constexpr Spelling kSpellings[] = {
      {"&>>", Op::AppendBoth}, {";;&", Op::CaseContinue}, {"<<-", Op::HereDocTabs}, {"<<<", Op::HereString},
      {"&&", Op::And},         {"&>", Op::OutputBoth},    {"||", Op::Or},           {"|&", Op::PipeBoth},
      {";;", Op::CaseBreak},   {";&", Op::CaseFall},      {"<<", Op::HereDoc},      {"<&", Op::DuplicateIn},
      {"<>", Op::ReadWrite},   {">>", Op::Append},        {">&", Op::DuplicateOut}, {">|", Op::Clobber},
      {"&", Op::Ampersand},    {";", Op::Semicolon},      {"|", Op::Pipe},          {"(", Op::OpenParen},
      {")", Op::CloseParen},   {"<", Op::Less},           {">", Op::Greater},       {"\n", Op::Newline},
  };
  const char head[3] = {current(), look(1), look(2)};
  for (const auto& spelling : kSpellings) {
    if (std::equal(spelling.text.begin(), spelling.text.end(), head)) {
      for (std::size_t i = 0; i < spelling.text.size(); ++i) {
        skip_continuations();
        ++pos_;
      }
      return spelling.op;
    }
  }
  return Op::None;
}

bool Lexer::read_operator() {
  const char c = current();
  if ((c == '<' || c == '>') && look(1) == '(') return false;  // process substitution is a word
  const auto begin = pos_;
  const Op op = scan_operator();
  if (op == Op::None) return false;
  const Span span{begin, pos_};
  lexemes_.push_back({LexemeKind::Operator, op, static_cast<std::uint8_t>(substitutions_), span});
  if (op == Op::Newline) read_here_docs();
  token_ = Token{Token::Kind::Operator, op, span, {}};
  return true;
}

/// `2` in `2>file` and `{name}` in `{name}>file` belong to the redirection.
bool Lexer::read_io_number() {
  auto end = pos_;
  const bool braced = text_[pos_] == '{';
  if (braced) ++end;
  while (end < end_ && (braced ? is_name_char(text_[end]) : is_digit(text_[end]))) ++end;
  if (braced) {
    if (end >= end_ || text_[end] != '}' || end == pos_ + 1) return false;
    ++end;
  }
  if (end == pos_ || end >= end_ || (text_[end] != '<' && text_[end] != '>')) return false;
  Word word{{pos_, end}, {}};
  word.parts.push_back({.span = word.span, .text = std::string(word.span.of(text_))});
  lexemes_.push_back({LexemeKind::Word, Op::None, static_cast<std::uint8_t>(substitutions_), word.span});
  pos_ = end;
  token_ = Token{Token::Kind::IoNumber, Op::None, word.span, std::move(word)};
  return true;
}

void Lexer::read_word() {
  Token token{Token::Kind::Word, Op::None, {pos_, pos_}, {}};
  read_parts(token.word.parts, Until::WordEnd, false);
  token.span.end = token.word.span.end = pos_;
  token.word.span.begin = token.span.begin;
  lexemes_.push_back({LexemeKind::Word, Op::None, static_cast<std::uint8_t>(substitutions_), token.span});
  token_ = std::move(token);
}

Token Lexer::take_regex() {
  have_token_ = false;
  while (current() == ' ' || current() == '\t') ++pos_;
  Token token{Token::Kind::Word, Op::None, {pos_, pos_}, {}};
  read_parts(token.word.parts, Until::Regex, false);
  token.span.end = pos_;
  token.word.span = token.span;
  return token;
}

void Lexer::expect_here_doc(std::shared_ptr<HereDoc> doc) {
  saw_here_doc_ = true;
  pending_.push_back(std::move(doc));
}

void Lexer::read_here_docs() {
  const auto docs = std::exchange(pending_, {});
  for (const auto& doc : docs) {
    if (failed_) return;
    read_here_doc(*doc);
  }
}

void Lexer::read_here_doc(HereDoc& doc) {
  doc.body.begin = pos_;
  bool joined = false;  // the line before ended in a backslash, so this one cannot be the closing line
  while (pos_ < end_) {
    const auto found = text_.substr(0, end_).find('\n', pos_);
    const auto line_end = found == std::string_view::npos ? end_ : found;
    auto line = text_.substr(pos_, line_end - pos_);
    auto stripped = line;
    if (doc.strip_tabs) stripped.remove_prefix(std::min(stripped.find_first_not_of('\t'), stripped.size()));
    if (!joined && stripped == doc.delimiter) {
      doc.body.end = pos_;
      pos_ = std::min(line_end + 1, end_);
      lexemes_.push_back(
          {LexemeKind::HereDocBody, Op::None, static_cast<std::uint8_t>(substitutions_), {doc.body.begin, line_end}});
      if (!doc.quoted) read_here_doc_parts(doc);
      return;
    }
    const auto last = line.find_last_not_of('\\');
    const auto backslashes = line.size() - (last == std::string_view::npos ? 0 : last + 1);
    joined = !doc.quoted && backslashes % 2 == 1;
    pos_ = std::min(line_end + 1, end_);
  }
  fail("the here-document needs its closing line " + doc.delimiter, end_, Open::HereDoc);
}

/// Expansions in the body. A body that does not parse is the running shell's problem, not a reason to want more text.
void Lexer::read_here_doc_parts(HereDoc& doc) {
  const auto resume = std::exchange(pos_, doc.body.begin);
  const auto limit = std::exchange(end_, doc.body.end);
  const int nesting = nesting_;
  const int substitutions = substitutions_;
  read_parts(doc.parts, Until::TextEnd, true);
  if (failed_) {
    failed_ = false;
    pending_.clear();
    doc.parts.clear();
    doc.parts.push_back({.kind = PartKind::Unreadable, .span = doc.body});
  }
  nesting_ = nesting;
  substitutions_ = substitutions;
  pos_ = resume;
  end_ = limit;
  have_token_ = false;
}

bool Lexer::take_arithmetic_command(Word& expression) {
  if (current() != '(' || not_arithmetic_.contains(pos_)) return false;
  const auto place = pos_;
  Token paren = std::move(token_);
  auto saved = mark();
  have_token_ = false;
  ++pos_;
  WordPart part{.kind = PartKind::Arithmetic, .span = {place - 1, place}};
  if (enter() && read_arithmetic_body(part)) {
    leave();
    expression.span = part.span;
    expression.parts.push_back(std::move(part));
    lexemes_.push_back({LexemeKind::Word, Op::None, static_cast<std::uint8_t>(substitutions_), {place, pos_}});
    return true;
  }
  back_to(std::move(saved));
  not_arithmetic_.insert(place);
  token_ = std::move(paren);
  have_token_ = true;
  return false;
}

Lexer::Mark Lexer::mark() const {
  return {pos_, lexemes_.size(), pending_, nesting_};
}

void Lexer::back_to(Mark mark) {
  pos_ = mark.pos;
  lexemes_.resize(mark.lexemes);
  pending_ = std::move(mark.pending);
  nesting_ = mark.nesting;
  failed_ = false;
  have_token_ = false;
}

}  // namespace shell
