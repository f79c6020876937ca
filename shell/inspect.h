// The questions that whoever types a command into a shared shell asks about its text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shell/parser.h"

namespace shell {

/// A command that would end, replace or lastingly alter the shell it is typed into.
struct SessionEnding {
  Span span;            ///< In the inspected text; the whole `eval` when it stands inside one.
  std::string command;  ///< "exit", "set -e", …
  std::string reason;
};

/// How a line ends, seen past blanks and comments: decides how another command may be joined to it.
enum class Ending : std::uint8_t { Plain, Semicolon, Ampersand };

/// What must be known about a text before it is typed at a prompt.
struct Inspection {
  Completeness state = Completeness::Complete;
  Open open = Open::Nothing;
  std::string reason;  ///< Why it is not complete.
  Ending ending = Ending::Plain;
  bool empty = false;       ///< Blanks and comments only.
  bool multi_line = false;  ///< Line feeds other than at the very end.
  bool has_here_doc = false;
  std::size_t code_end = 0;              ///< Just after the last command or separator; blanks and comments may follow.
  std::optional<Span> trailing_comment;  ///< A comment after which nothing follows.
  std::optional<std::size_t> control_character;  ///< The first C0 byte other than a line feed, DEL, or C1 in UTF-8.
  std::optional<std::size_t> history_expansion;  ///< A `!` (or leading `^`) that an interactive bash would expand.
  std::vector<SessionEnding> session_ending;
  bool reads_terminal = false;  ///< One pipeline, and what it begins with was given nothing else to read: `cat`.
};

Inspection inspect(std::string_view text);

/// Commands in `script` (parsed from `text`) that act on the shell itself: exit, exec, logout, return, set -e and
/// their like. What runs in a subshell, a pipe, a substitution or the background is not among them.
std::vector<SessionEnding> session_ending_commands(const Node& script, std::string_view text);

/// The first byte that a terminal would act on instead of inserting: C0 except line feed, DEL, C1 as UTF-8.
std::optional<std::size_t> find_control_character(std::string_view text);

/// The first `!` that interactive bash (and csh-like shells outside quotes) would expand from the history.
std::optional<std::size_t> find_history_expansion(std::string_view text);

}  // namespace shell
