// Reading shell text. Shell words nest commands and commands nest words, so this lexer and the parser work on one
// cursor: the lexer calls the parser for what stands inside $( … ), the parser asks the lexer for the next token. One
// pass, no backing up except for `((`, which is tried as arithmetic first, once for each place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "shell/ast.h"

namespace shell {

/// What is still open when a text ends too early.
enum class Open : std::uint8_t {
  Nothing,
  SingleQuote,
  DoubleQuote,
  DollarQuote,
  Backquote,
  CommandSubstitution,
  ProcessSubstitution,
  Parameter,
  Arithmetic,
  HereDoc,
  Backslash,
  Operator,
  Compound,
  Array,
};

/// Where reading stopped and why. `open` is not Nothing when more text could still make it whole.
struct Problem {
  std::string message;
  Open open = Open::Nothing;
  std::size_t at = 0;
};

enum class LexemeKind : std::uint8_t { Word, Operator, Comment, HereDocBody };

/// A token as it stands in the text, for those who need places and not meaning.
struct Lexeme {
  LexemeKind kind = LexemeKind::Word;
  Op op = Op::None;
  std::uint8_t nesting = 0;  ///< 0 outside of every substitution.
  Span span;
};

/// What the parser is given: an operator, a word, or the end.
struct Token {
  enum class Kind : std::uint8_t { End, Operator, Word, IoNumber };
  Kind kind = Kind::End;
  Op op = Op::None;
  Span span;
  Word word;
};

/// Turns text into tokens on demand, with all quoting and expansion inside words understood.
class Lexer {
 public:
  /// Substitutions, groups and compound commands may nest this deep; more is reported as a problem.
  static constexpr int kMaxNesting = 100;

  /// `nesting` is how deep the text already stands inside another one (backquotes are read by a lexer of their own).
  explicit Lexer(std::string_view text, int nesting = 0, bool comments = true);

  const Token& peek();
  Token take();
  /// Whether `a=(…)` may be read as an array at this place; the parser knows, the lexer does not.
  void set_arrays_allowed(bool allowed) { arrays_allowed_ = allowed; }

  /// After `[[ … =~`: a word in which parentheses and bars are ordinary.
  Token take_regex();
  /// `(( … ))` at the cursor, whose first parenthesis was the token just peeked. False, with nothing read, when it is
  /// not arithmetic.
  bool take_arithmetic_command(Word& expression);

  /// Registers a here-document; its body is read at the next line feed.
  void expect_here_doc(std::shared_ptr<HereDoc> doc);

  bool failed() const { return failed_; }
  const Problem& problem() const { return problem_; }
  void fail(std::string message, std::size_t at, Open open = Open::Nothing);

  /// One level of nesting; false, with a problem set, when it is one too many.
  bool enter();
  void leave() { --nesting_; }

  std::size_t position() const { return pos_; }
  std::string_view text() const { return text_; }
  std::vector<Lexeme>& lexemes() { return lexemes_; }
  bool saw_here_doc() const { return saw_here_doc_; }
  /// Why another shell could cut this text into other commands than bash does; empty when there is no such doubt.
  std::string_view hazard() const { return hazard_; }

 private:
  enum class Until : std::uint8_t { WordEnd, DoubleQuote, Brace, ArithmeticEnd, Bracket, Subscript, TextEnd, Regex };

  /// What a tentative reading may change.
  struct Mark {
    std::size_t pos, lexemes;
    std::vector<std::shared_ptr<HereDoc>> pending;
    int nesting;
  };

  bool at_end() const { return pos_ >= end_; }
  void skip_continuations();
  char current();
  char look(std::size_t ahead);

  void read_token();
  void skip_blanks_and_comment();
  bool read_operator();
  Op scan_operator();
  void read_word();
  bool read_io_number();
  void read_here_docs();
  void read_here_doc(HereDoc& doc);
  void read_here_doc_parts(HereDoc& doc);

  void read_parts(std::vector<WordPart>& parts, Until until, bool quoted);
  bool ends_here(Until until, int depth);
  void read_piece(std::vector<WordPart>& parts, Until until, bool quoted);
  void add_char(std::vector<WordPart>& parts, char c, bool quoted);
  void read_backslash(std::vector<WordPart>& parts, Until until, bool quoted);
  void read_single_quotes(std::vector<WordPart>& parts);
  void read_double_quotes(std::vector<WordPart>& parts);
  void read_ansi_c_quotes(std::vector<WordPart>& parts);
  void read_backquotes(std::vector<WordPart>& parts, bool quoted);
  void read_dollar(std::vector<WordPart>& parts, bool quoted);
  void read_parameter(std::vector<WordPart>& parts, bool quoted);
  void read_braced_parameter(std::vector<WordPart>& parts, bool quoted);
  void read_parameter_name(WordPart& part);
  void read_operation(WordPart& part, bool quoted);
  bool try_arithmetic(std::vector<WordPart>& parts, bool quoted);
  void read_old_arithmetic(std::vector<WordPart>& parts, bool quoted);
  bool read_arithmetic_body(WordPart& part);
  void read_command(std::vector<WordPart>& parts, PartKind kind, std::size_t begin, bool quoted);
  bool array_starts(const std::vector<WordPart>& parts);
  void read_array(std::vector<WordPart>& parts);
  void read_subscript(std::vector<WordPart>& parts);

  Mark mark() const;
  void back_to(Mark mark);

  std::string_view text_;
  std::size_t end_ = 0;  ///< Where reading stops: the end of the text, or of a here-document's body.
  std::size_t pos_ = 0;
  int nesting_ = 0;
  bool comments_ = true;
  bool arrays_allowed_ = false;
  bool have_token_ = false;
  bool failed_ = false;
  bool saw_here_doc_ = false;
  int substitutions_ = 0;
  std::string_view hazard_;
  Token token_;
  Problem problem_;
  std::vector<std::shared_ptr<HereDoc>> pending_;
  std::unordered_set<std::size_t> not_arithmetic_;  ///< Places of `((` that turned out to be two groups.
  std::vector<Lexeme> lexemes_;
};

/// Parses the commands up to the `)` that closes a substitution; defined with the parser.
std::unique_ptr<Node> parse_inside(Lexer& lexer);
/// Parses a whole text that stands inside another one, for backquotes.
std::unique_ptr<Node> parse_quoted_script(std::string_view text, int nesting, bool comments, std::string_view& hazard);

}  // namespace shell
