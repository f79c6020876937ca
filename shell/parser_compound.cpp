// The compound commands: groups, conditionals, loops, case, functions.
#include <algorithm>

#include "shell/parser.h"

namespace shell {
namespace {

bool is_unary_test(std::string_view word) {
  return word.size() == 2 && word[0] == '-' &&
         std::string_view("abcdefghknoprstuvwxzGLNORS").find(word[1]) != word.npos;
}

bool is_binary_test(std::string_view word) {
  static constexpr std::string_view kTests[] = {"=",   "==",  "!=",  "=~",  "-nt", "-ot", "-ef",
                                                "-eq", "-ne", "-lt", "-gt", "-le", "-ge"};
  return std::find(std::begin(kTests), std::end(kTests), word) != std::end(kTests);
}

}  // namespace

bool Parser::parse_compound(Node& node) {
  if (at(Op::OpenParen)) {
    parse_parentheses(node);
    return true;
  }
  struct Keyword {
    std::string_view word;
    void (Parser::*parse)(Node&);
  };
  static constexpr Keyword kKeywords[] = {
      {"{", &Parser::parse_group},          {"if", &Parser::parse_if},        {"while", &Parser::parse_while},
      {"until", &Parser::parse_while},      {"for", &Parser::parse_for},      {"select", &Parser::parse_for},
      {"case", &Parser::parse_case},        {"[[", &Parser::parse_condition}, {"function", &Parser::parse_function},
      {"coproc", &Parser::parse_coprocess},
  };
  const auto& token = lexer_.peek();
  if (token.kind != Token::Kind::Word) return false;
  const auto word = token.word.bare();
  for (const auto& keyword : kKeywords) {
    if (keyword.word == word) {
      (this->*keyword.parse)(node);
      return true;
    }
  }
  return false;
}

void Parser::parse_group(Node& node) {
  node.kind = NodeKind::Group;
  take();
  body(node, "the { } group");
  expect_word("}", "the { } group");
}

void Parser::parse_parentheses(Node& node) {
  Word expression;
  if (lexer_.take_arithmetic_command(expression)) {
    node.kind = NodeKind::Arithmetic;
    last_end_ = lexer_.position();
    node.words.push_back(std::move(expression));
    return;
  }
  node.kind = NodeKind::Subshell;
  take();
  body(node, "the ( ) group");
  expect(Op::CloseParen, "the ( ) group");
}

void Parser::parse_if(Node& node) {
  node.kind = NodeKind::If;
  take();
  for (;;) {
    body(node, "the if");
    if (!expect_word("then", "the if")) return;
    body(node, "the if");
    if (lexer_.failed() || !at_word("elif")) break;
    take();
  }
  if (at_word("else")) {
    take();
    body(node, "the if");
  }
  expect_word("fi", "the if");
}

void Parser::parse_while(Node& node) {
  node.kind = at_word("until") ? NodeKind::Until : NodeKind::While;
  take();
  body(node, "the loop");
  if (!expect_word("do", "the loop")) return;
  body(node, "the loop");
  expect_word("done", "the loop");
}

void Parser::parse_for(Node& node) {
  node.kind = at_word("select") ? NodeKind::Select : NodeKind::For;
  take();
  Word expression;
  if (at(Op::OpenParen)) {
    if (node.kind == NodeKind::Select || !lexer_.take_arithmetic_command(expression)) return unexpected("the for");
    node.kind = NodeKind::ArithmeticFor;
    last_end_ = lexer_.position();
    const auto& clauses = expression.parts[0].text;
    if (std::count(clauses.begin(), clauses.end(), ';') != 2) return unexpected("the for");
    node.words.push_back(std::move(expression));
    lexer_.set_arrays_allowed(true);
    if (at(Op::Semicolon)) take();
    skip_newlines();
    return parse_loop_body(node, "the for");
  }
  if (lexer_.peek().kind != Token::Kind::Word) return unexpected("the for");
  const Token name = take();
  node.name = name.word.literal().value_or("");
  if (at(Op::Semicolon)) {
    take();
    skip_newlines();
    return parse_loop_body(node, "the for");
  }
  skip_newlines();
  if (at_word("in")) {
    take();
    lexer_.set_arrays_allowed(false);
    while (lexer_.peek().kind == Token::Kind::Word || lexer_.peek().kind == Token::Kind::IoNumber) {
      node.words.push_back(take().word);
      lexer_.set_arrays_allowed(false);
    }
    if (!at(Op::Semicolon) && !at(Op::Newline)) return unexpected("the for");
    take();
    skip_newlines();
  }
  parse_loop_body(node, "the for");
}

void Parser::parse_loop_body(Node& node, std::string_view inside) {
  const bool braces = at_word("{");
  if (!braces && !at_word("do")) return unexpected(inside);
  take();
  body(node, inside);
  expect_word(braces ? "}" : "done", inside);
}

void Parser::parse_case(Node& node) {
  node.kind = NodeKind::Case;
  take();
  if (lexer_.peek().kind != Token::Kind::Word) return unexpected("the case");
  node.words.push_back(take().word);
  skip_newlines();
  if (!expect_word("in", "the case")) return;
  skip_newlines();
  while (!lexer_.failed() && !at_word("esac")) {
    parse_case_clause(node);
    skip_newlines();
  }
  expect_word("esac", "the case");
}

void Parser::parse_case_clause(Node& node) {
  if (at(Op::OpenParen)) take();
  for (;;) {
    lexer_.set_arrays_allowed(false);
    if (lexer_.peek().kind != Token::Kind::Word) return unexpected("the case");
    node.words.push_back(take().word);
    if (!at(Op::Pipe)) break;
    take();
  }
  if (!expect(Op::CloseParen, "the case")) return;
  node.children.push_back(parse_list());
  if (at(Op::CaseBreak) || at(Op::CaseFall) || at(Op::CaseContinue)) {
    take();
  } else if (!at_word("esac")) {
    unexpected("the case");
  }
}

void Parser::parse_function(Node& node) {
  take();
  node.kind = NodeKind::Function;
  if (lexer_.peek().kind != Token::Kind::Word) return unexpected("the function");
  lexer_.set_arrays_allowed(false);
  node.name = take().word.literal().value_or("");
  if (at(Op::OpenParen)) {
    take();
    if (!expect(Op::CloseParen, "the function")) return;
  }
  parse_function_commands(node);
}

void Parser::parse_coprocess(Node& node) {
  take();
  node.kind = NodeKind::Coprocess;
  node.children.push_back(parse_command());
}

void Parser::parse_condition(Node& node) {
  node.kind = NodeKind::Condition;
  take();
  condition_or(node);
  expect_word("]]", "the [[ ]] test");
}

void Parser::condition_or(Node& node) {
  if (!lexer_.enter()) return;
  skip_newlines();
  condition_term(node);
  skip_newlines();
  while (!lexer_.failed() && (at(Op::And) || at(Op::Or))) {
    take();
    skip_newlines();
    condition_term(node);
    skip_newlines();
  }
  lexer_.leave();
}

void Parser::condition_term(Node& node) {
  while (at_word("!")) take();
  if (at(Op::OpenParen)) {
    take();
    condition_or(node);
    expect(Op::CloseParen, "the [[ ]] test");
    return;
  }
  if (at_word("]]")) return unexpected("the [[ ]] test");
  const bool unary = lexer_.peek().kind == Token::Kind::Word && is_unary_test(lexer_.peek().word.bare());
  condition_word(node);
  if (unary) {
    if (at_word("]]")) return unexpected("the [[ ]] test");
    return condition_word(node);
  }
  const auto& token = lexer_.peek();
  if (at(Op::Less) || at(Op::Greater)) {
    // In a shell without [[ this is a redirection; the reader of the tree must see it.
    node.redirects.push_back({.op = token.op, .span = token.span});
    take();
    return condition_word(node);
  }
  if (token.kind != Token::Kind::Word || !is_binary_test(token.word.bare())) return;
  const bool regex = token.word.bare() == "=~";
  take();
  if (!regex) return condition_word(node);
  Token pattern = lexer_.take_regex();
  last_end_ = pattern.span.end;
  if (!lexer_.failed() && pattern.word.parts.empty()) return unexpected("the [[ ]] test");
  node.words.push_back(std::move(pattern.word));
}

void Parser::condition_word(Node& node) {
  lexer_.set_arrays_allowed(false);
  if (lexer_.peek().kind != Token::Kind::Word) return unexpected("the [[ ]] test");
  node.words.push_back(take().word);
  lexer_.set_arrays_allowed(false);
}

}  // namespace shell
