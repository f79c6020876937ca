#pragma once

#include <string_view>
#include <vector>

#include "shell/ast.h"
#include "shell/lexer.h"

namespace shell {

enum class Completeness : std::uint8_t { Complete, Incomplete, Error };

/// What a text says. When it is not complete, `script` holds as much as could be read.
struct Parsed {
  Completeness state = Completeness::Complete;
  Problem problem;
  Node script;  ///< A List.
  std::vector<Lexeme> lexemes;
  bool has_here_doc = false;
  /// Why another shell than bash could run other commands than `script` shows; empty when there is no such doubt.
  std::string_view hazard;
};

/// Interactive zsh reads `#` as an ordinary character unless it was told otherwise.
enum class Comments : bool { Ordinary = false, Skipped = true };

/// Reads `text` as bash would. Linear in the length; nesting is bounded by Lexer::kMaxNesting. `nesting` is how deep
/// the text already stands inside others.
Parsed parse(std::string_view text, Comments comments = Comments::Skipped, int nesting = 0);

/// Grammar of commands, on the tokens of one Lexer.
class Parser {
 public:
  explicit Parser(Lexer& lexer) : lexer_(lexer) {}

  /// Commands up to something that cannot begin one.
  Node parse_list();
  bool at_end() { return lexer_.peek().kind == Token::Kind::End; }
  bool at(Op op) { return lexer_.peek().op == op; }
  Token take();
  /// Sets the problem that the next token cannot stand here; `inside` is the construct that is then unfinished.
  void unexpected(std::string_view inside, Open open = Open::Compound);

 private:
  bool at_word(std::string_view word);
  bool begins_command();
  bool at_redirect();
  void skip_newlines();
  bool expect_word(std::string_view word, std::string_view inside);
  bool expect(Op op, std::string_view inside);
  Node begin(NodeKind kind);
  void end(Node& node) { node.span.end = last_end_; }
  void body(Node& node, std::string_view inside);

  Node parse_and_or();
  Node parse_pipeline();
  Node parse_time();
  Node parse_pipeline_below(Node node);
  Node parse_command();
  bool parse_compound(Node& node);
  void parse_simple(Node& node);
  void parse_word(Node& node);
  void parse_redirects(Node& node);
  void parse_redirect(Node& node);
  void parse_function_body(Node& node);
  void parse_function_commands(Node& node);

  void parse_group(Node& node);
  void parse_parentheses(Node& node);
  void parse_if(Node& node);
  void parse_while(Node& node);
  void parse_for(Node& node);
  void parse_loop_body(Node& node, std::string_view inside);
  void parse_case(Node& node);
  void parse_case_clause(Node& node);
  void parse_function(Node& node);
  void parse_coprocess(Node& node);
  void parse_condition(Node& node);
  void condition_or(Node& node);
  void condition_term(Node& node);
  void condition_word(Node& node);

  Lexer& lexer_;
  std::size_t last_end_ = 0;
};

}  // namespace shell
