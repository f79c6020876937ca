#include "shell/parser.h"

#include <algorithm>
#include <utility>

#include "shell/characters.h"

namespace shell {
namespace {

bool is_closing_word(std::string_view word) {
  static constexpr std::string_view kClosing[] = {"then", "do", "done", "fi", "else", "elif", "esac", "}"};
  return std::find(std::begin(kClosing), std::end(kClosing), word) != std::end(kClosing);
}

/// Builtins whose arguments may be array assignments.
bool declares(std::string_view word) {
  static constexpr std::string_view kDeclaring[] = {"declare", "typeset", "local", "export", "readonly"};
  return std::find(std::begin(kDeclaring), std::end(kDeclaring), word) != std::end(kDeclaring);
}

std::size_t name_length(std::string_view text) {
  if (text.empty() || !is_name_start(text[0])) return 0;
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_name_char) - text.begin());
}

/// Splits `name=value`, `name+=value`, `name[i]=value`. False when the word is not an assignment.
bool split_assignment(Word& word, Assignment& out) {
  if (word.parts.empty() || word.parts[0].kind != PartKind::Literal || word.parts[0].quoted) return false;
  const std::string_view head = word.parts[0].text;
  auto at = name_length(head);
  if (at == 0) return false;
  out.name = head.substr(0, at);
  std::size_t part = 0;
  if (at < head.size() && head[at] == '[') {
    // The closing bracket may stand in a later part when the subscript has expansions.
    for (; part < word.parts.size(); ++part) {
      const auto& piece = word.parts[part];
      if (piece.kind != PartKind::Literal || piece.quoted) continue;
      const auto close = piece.text.find(']', part == 0 ? at : 0);
      if (close == std::string::npos) continue;
      out.subscript = part == 0 ? piece.text.substr(at + 1, close - at - 1) : "…";
      at = close + 1;
      break;
    }
    if (part == word.parts.size()) return false;
  }
  auto& piece = word.parts[part];
  const bool append = piece.text.compare(at, 2, "+=") == 0;
  if (!append && (at >= piece.text.size() || piece.text[at] != '=')) return false;
  out.append = append;
  out.span = word.span;
  const auto skipped = at + (append ? 2 : 1);
  out.value.span = {piece.span.begin + skipped, word.span.end};
  piece.text.erase(0, skipped);
  piece.span.begin += skipped;
  // Expansions in the subscript run too, so they stay with the value.
  if (piece.text.empty()) word.parts.erase(word.parts.begin() + static_cast<std::ptrdiff_t>(part));
  out.value.parts = std::move(word.parts);
  return true;
}

Completeness state_of(const Lexer& lexer) {
  if (!lexer.failed()) return Completeness::Complete;
  return lexer.problem().open == Open::Nothing ? Completeness::Error : Completeness::Incomplete;
}

}  // namespace

Parsed parse(std::string_view text, Comments comments, int nesting) {
  Lexer lexer(text, nesting, comments == Comments::Skipped);
  Parser parser(lexer);
  Parsed result;
  result.script = parser.parse_list();
  if (!lexer.failed() && !parser.at_end()) parser.unexpected("the command");
  result.state = state_of(lexer);
  result.problem = lexer.problem();
  if (result.state == Completeness::Complete) result.problem = {};
  result.lexemes = std::move(lexer.lexemes());
  result.has_here_doc = lexer.saw_here_doc();
  result.hazard = lexer.hazard();
  return result;
}

std::unique_ptr<Node> parse_inside(Lexer& lexer) {
  Parser parser(lexer);
  auto script = std::make_unique<Node>(parser.parse_list());
  if (lexer.failed()) return script;
  if (parser.at(Op::CloseParen)) {
    parser.take();
  } else {
    parser.unexpected("a $( )", Open::CommandSubstitution);
  }
  return script;
}

std::unique_ptr<Node> parse_quoted_script(std::string_view text, int nesting, bool comments, std::string_view& hazard) {
  auto inner = parse(text, comments ? Comments::Skipped : Comments::Ordinary, nesting);
  if (!inner.hazard.empty()) hazard = inner.hazard;
  if (inner.state != Completeness::Complete) return nullptr;
  return std::make_unique<Node>(std::move(inner.script));
}

Token Parser::take() {
  Token token = lexer_.take();
  last_end_ = token.span.end;
  lexer_.set_arrays_allowed(true);  // whatever follows may be the first word of a command
  return token;
}

bool Parser::at_word(std::string_view word) {
  const auto& token = lexer_.peek();
  return token.kind == Token::Kind::Word && token.word.bare() == word;
}

bool Parser::at_redirect() {
  const auto& token = lexer_.peek();
  return token.kind == Token::Kind::IoNumber || (token.kind == Token::Kind::Operator && token.op >= Op::Less);
}

bool Parser::begins_command() {
  const auto& token = lexer_.peek();
  switch (token.kind) {
    case Token::Kind::End:
      return false;
    case Token::Kind::Word:
      return !is_closing_word(token.word.bare());
    case Token::Kind::IoNumber:
      return true;
    case Token::Kind::Operator:
      return token.op != Op::CloseParen && token.op != Op::CaseBreak && token.op != Op::CaseFall &&
             token.op != Op::CaseContinue;
  }
  return false;
}

void Parser::skip_newlines() {
  while (at(Op::Newline)) take();
}

void Parser::unexpected(std::string_view inside, Open open) {
  const auto& token = lexer_.peek();
  if (lexer_.failed()) return;
  if (token.kind == Token::Kind::End) {
    lexer_.fail(std::string(inside) + " is not finished", token.span.begin, open);
    return;
  }
  const auto shown = token.op == Op::Newline ? "end of line" : token.span.of(lexer_.text());
  lexer_.fail("unexpected " + std::string(shown.substr(0, 40)) + " in " + std::string(inside), token.span.begin);
}

bool Parser::expect_word(std::string_view word, std::string_view inside) {
  if (!at_word(word)) {
    unexpected(inside);
    return false;
  }
  take();
  return true;
}

bool Parser::expect(Op op, std::string_view inside) {
  if (!at(op)) {
    unexpected(inside);
    return false;
  }
  take();
  return true;
}

Node Parser::begin(NodeKind kind) {
  Node node;
  node.kind = kind;
  node.span.begin = lexer_.peek().span.begin;
  node.span.end = node.span.begin;
  return node;
}

Node Parser::parse_list() {
  lexer_.set_arrays_allowed(true);
  skip_newlines();
  Node list = begin(NodeKind::List);
  while (!lexer_.failed() && begins_command()) {
    Node item = parse_and_or();
    const bool ends_item = at(Op::Semicolon) || at(Op::Newline) || at(Op::Ampersand);
    item.background = at(Op::Ampersand);
    list.children.push_back(std::move(item));
    if (!ends_item) break;
    take();
    skip_newlines();
  }
  end(list);
  return list;
}

/// A list that must hold at least one command.
void Parser::body(Node& node, std::string_view inside) {
  Node list = parse_list();
  if (!lexer_.failed() && list.children.empty()) unexpected(inside);
  node.children.push_back(std::move(list));
}

Node Parser::parse_and_or() {
  Node first = parse_pipeline();
  if (!at(Op::And) && !at(Op::Or)) return first;
  Node chain;
  chain.kind = NodeKind::AndOr;
  chain.span = first.span;
  chain.children.push_back(std::move(first));
  while (!lexer_.failed() && (at(Op::And) || at(Op::Or))) {
    take();
    skip_newlines();
    if (at_end()) unexpected("the && or || chain", Open::Operator);
    chain.children.push_back(parse_pipeline());
  }
  end(chain);
  return chain;
}

Node Parser::parse_pipeline() {
  bool negated = false;
  const auto start = lexer_.peek().span.begin;
  while (at_word("!")) {
    take();
    negated = !negated;
  }
  const bool alone = start != lexer_.peek().span.begin && !begins_command();
  const bool ends = at(Op::Semicolon) || at(Op::Newline) || alone;
  Node first = negated && ends ? begin(NodeKind::Simple) : at_word("time") ? parse_time() : parse_command();
  if (!at(Op::Pipe) && !at(Op::PipeBoth)) {
    first.negated = negated;
    return first;
  }
  Node pipeline;
  pipeline.kind = NodeKind::Pipeline;
  pipeline.negated = negated;
  pipeline.span.begin = start;
  pipeline.children.push_back(std::move(first));
  while (!lexer_.failed() && (at(Op::Pipe) || at(Op::PipeBoth))) {
    take();
    skip_newlines();
    if (at_end()) unexpected("the pipe", Open::Operator);
    pipeline.children.push_back(parse_command());
  }
  end(pipeline);
  return pipeline;
}

/// `time` is a reserved word, but a program when an option other than -p follows.
Node Parser::parse_time() {
  Node node = begin(NodeKind::Simple);
  Token time = take();
  const auto next = std::string(lexer_.peek().kind == Token::Kind::Word ? lexer_.peek().word.bare() : "");
  if (next.starts_with('-') && next != "-p") {
    node.words.push_back(std::move(time.word));
    parse_simple(node);
    end(node);
    return node;
  }
  if (next == "-p") take();
  if (!begins_command() || at(Op::Semicolon) || at(Op::Newline)) return node;
  if (at_word("time") || at_word("!")) return parse_pipeline_below(std::move(node));
  return parse_command();
}

/// `time ! cmd`, `time time cmd`: rare, but bash takes them.
Node Parser::parse_pipeline_below(Node node) {
  node.kind = NodeKind::List;
  if (lexer_.enter()) {
    node.children.push_back(parse_pipeline());
    lexer_.leave();
  }
  end(node);
  return node;
}

Node Parser::parse_command() {
  Node node = begin(NodeKind::Simple);
  if (lexer_.failed() || !lexer_.enter()) return node;
  const auto& token = lexer_.peek();
  if (token.kind == Token::Kind::Word && is_closing_word(token.word.bare())) unexpected("the command");
  if (parse_compound(node)) {
    parse_redirects(node);
  } else {
    parse_simple(node);
    if (!lexer_.failed() && node.words.empty() && node.assignments.empty() && node.redirects.empty() &&
        node.kind == NodeKind::Simple) {
      unexpected("the command", Open::Operator);
    }
  }
  lexer_.leave();
  end(node);
  return node;
}

void Parser::parse_simple(Node& node) {
  while (!lexer_.failed()) {
    lexer_.set_arrays_allowed(node.words.empty() || declares(node.words[0].bare()));
    if (at_redirect()) {
      parse_redirect(node);
    } else if (lexer_.peek().kind == Token::Kind::Word) {
      parse_word(node);
    } else if (at(Op::OpenParen) && node.words.size() == 1 && node.assignments.empty() && node.redirects.empty()) {
      parse_function_body(node);
      return;
    } else if (at(Op::OpenParen)) {
      unexpected("the command");
    } else {
      return;
    }
  }
}

void Parser::parse_word(Node& node) {
  Token token = take();
  Assignment assignment;
  if (node.words.empty() && split_assignment(token.word, assignment)) {
    node.assignments.push_back(std::move(assignment));
  } else {
    node.words.push_back(std::move(token.word));
  }
}

/// After `name`: `() body`.
void Parser::parse_function_body(Node& node) {
  node.kind = NodeKind::Function;
  const auto& word = node.words[0];
  node.name = word.literal().value_or(std::string(word.span.of(lexer_.text())));
  node.words.clear();
  take();
  if (!expect(Op::CloseParen, "the function")) return;
  parse_function_commands(node);
}

void Parser::parse_function_commands(Node& node) {
  skip_newlines();
  Node inner = begin(NodeKind::Group);
  if (!parse_compound(inner)) return unexpected("the function");
  parse_redirects(inner);
  end(inner);
  node.children.push_back(std::move(inner));
}

void Parser::parse_redirects(Node& node) {
  lexer_.set_arrays_allowed(false);
  while (!lexer_.failed() && at_redirect()) parse_redirect(node);
}

void Parser::parse_redirect(Node& node) {
  Redirect redirect;
  redirect.span.begin = lexer_.peek().span.begin;
  if (lexer_.peek().kind == Token::Kind::IoNumber) redirect.fd = take().word.bare();
  redirect.op = take().op;
  lexer_.set_arrays_allowed(false);
  if (lexer_.peek().kind != Token::Kind::Word) {
    const auto at = lexer_.peek().span.begin;
    return lexer_.fail("a redirection does not say where to", at);  // more text on the next line would not help
  }
  redirect.target = take().word;
  redirect.span.end = last_end_;
  if (redirect.op == Op::HereDoc || redirect.op == Op::HereDocTabs) {
    auto doc = std::make_shared<HereDoc>();
    doc->quoted = redirect.target.quoted();
    doc->strip_tabs = redirect.op == Op::HereDocTabs;
    doc->delimiter = redirect.target.literal().value_or(std::string(redirect.target.span.of(lexer_.text())));
    redirect.here_doc = doc;
    lexer_.expect_here_doc(std::move(doc));
  }
  node.redirects.push_back(std::move(redirect));
}

}  // namespace shell
