#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shell {

/// A range of bytes in the text that was parsed.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
  bool operator==(const Span&) const = default;
};

enum class Op : std::uint8_t {
  None,
  Newline,
  Semicolon,
  Ampersand,
  Pipe,
  PipeBoth,      // |&
  And,           // &&
  Or,            // ||
  CaseBreak,     // ;;
  CaseFall,      // ;&
  CaseContinue,  // ;;&
  OpenParen,
  CloseParen,
  Less,          // <
  Greater,       // >
  Append,        // >>
  HereDoc,       // <<
  HereDocTabs,   // <<-
  HereString,    // <<<
  ReadWrite,     // <>
  Clobber,       // >|
  DuplicateIn,   // <&
  DuplicateOut,  // >&
  OutputBoth,    // &>
  AppendBoth,    // &>>
};

struct Node;

enum class PartKind : std::uint8_t {
  Literal,     ///< text; `quoted` says whether globs, braces and tildes in it are active
  Parameter,   ///< $x, ${x…}
  Command,     ///< $(…)
  Backquote,   ///< `…`; its script has spans into `text`, not into the outer text
  Arithmetic,  ///< $((…)), $[…]
  ProcessIn,   ///< <(…)
  ProcessOut,  ///< >(…)
  Array,       ///< a=(…); `nested` holds the parts of the elements
  Unreadable,  ///< an expansion that we do not understand
};

/// One piece of a word. Pieces inside double quotes stand in the same list and are marked `quoted`.
struct WordPart {
  PartKind kind = PartKind::Literal;
  bool quoted = false;
  bool ansi_c = false;  ///< Literal from $'…'.
  Span span;
  std::string text;       ///< Literal: the value after quote removal. Parameter: the name. Arithmetic: its source.
  std::string operation;  ///< Parameter: what follows the name (":-", "@P", …); "!" in front when indirect.
  std::vector<WordPart> nested;  ///< Expansions inside ${…}, arithmetic and array elements.
  std::unique_ptr<Node> script;  ///< Command, Backquote, ProcessIn, ProcessOut.
};

/// A shell word: what becomes an argument (or several, or none) after expansion.
struct Word {
  Span span;
  std::vector<WordPart> parts;

  /// The value after quote removal when nothing has to be expanded (globs and braces are left as they are).
  std::optional<std::string> literal() const;
  /// The text if the word is one unquoted literal: only such a word can be a reserved word.
  std::string_view bare() const;
  bool quoted() const;
};

/// The body of a here-document. It is filled when the line that announced it ends.
struct HereDoc {
  std::string delimiter;
  bool quoted = false;  ///< Quoted delimiter: the body is data, nothing in it is expanded.
  bool strip_tabs = false;
  Span body;
  std::vector<WordPart> parts;
};

struct Redirect {
  Op op = Op::None;
  Span span;
  std::string fd;  ///< "2", "{name}", or empty for the default.
  Word target;
  std::shared_ptr<HereDoc> here_doc;
};

struct Assignment {
  Span span;
  std::string name;
  std::string subscript;  ///< Raw text between [ and ], if any.
  bool append = false;
  Word value;
};

enum class NodeKind : std::uint8_t {
  Simple,
  Pipeline,
  AndOr,
  List,
  Group,
  Subshell,
  Function,
  For,
  ArithmeticFor,
  Select,
  While,
  Until,
  If,
  Case,
  Condition,   // [[ … ]]
  Arithmetic,  // (( … ))
  Coprocess,
};

/// A command of any kind. `children` are the commands directly inside it, in the order of the text.
struct Node {
  NodeKind kind = NodeKind::Simple;
  bool background = false;  ///< Followed by &.
  bool negated = false;
  Span span;
  std::string name;                     ///< Function, For, Select, Coprocess.
  std::vector<Assignment> assignments;  ///< Simple.
  std::vector<Word> words;  ///< Simple: the words; For: the list; Case: subject, patterns; Condition: operands.
  std::vector<Redirect> redirects;
  std::vector<Node> children;
};

}  // namespace shell
