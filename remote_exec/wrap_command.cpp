#include "remote_exec/wrap_command.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "base/words.h"
#include "shell/inspect.h"

namespace remote_exec {
namespace {

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  while (true) {
    const auto found = text.find(from);
    result += text.substr(0, found);
    if (found == std::string_view::npos) return result;
    result += to;
    text.remove_prefix(found + from.size());
  }
}

std::string single_quoted(std::string_view text) {
  return "'" + replace_all(text, "'", R"('\'')") + "'";
}

std::string fish_quoted(std::string_view text) {
  return "'" + replace_all(replace_all(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string_view evaluator(const Dialect& dialect) {
  return dialect.shell == Shell::zsh ? "builtin eval" : "command eval";
}

/// One line as a printf argument inside "$( … )". A tab cannot be typed (it completes), so it comes from a variable of
/// that subshell; `!` stands outside the quotes because older bash expands it inside double quotes in spite of them.
std::string posix_argument(std::string_view line) {
  std::string quoted = replace_all(single_quoted(line), "!", R"('\!')");
  return replace_all(quoted, "\t", R"('"$t"')");
}

std::string posix_lines(const Dialect& dialect, std::string_view command) {
  std::string text(evaluator(dialect));
  text += " \"$(";
  if (command.find('\t') != std::string_view::npos)
    (text += "t=$(") += std::string(dialect.printer()) + R"( '\t.'); t=${t%.}; )";
  (text += dialect.printer()) += R"( '%s\n')";
  for (const auto line : lines_of(command)) (text += ' ') += posix_argument(line);
  return text += ")\"";
}

std::string fish_lines(std::string_view command) {
  std::string text = R"(eval (builtin printf '%s\n')";
  for (const auto line : lines_of(command)) {
    (text += ' ') += replace_all(fish_quoted(line), "\t", R"('\t')");
  }
  return text += " | string collect)";
}

/// The unquoted words of a fish or csh command, roughly: enough to see comments, blocks and open quotes.
struct RoughWords {
  bool open_quote = false;
  bool comment = false;
  int blocks = 0;  ///< Opened and not closed.
};

RoughWords rough_words(std::string_view command) {
  static constexpr std::string_view kOpeners[] = {"for",      "while",  "if",      "begin",
                                                  "function", "switch", "foreach", "then"};
  RoughWords found;
  char quote = 0;
  std::string word;
  bool first = true;
  const auto end_word = [&] {
    if (word.empty()) return;
    if (first && std::find(std::begin(kOpeners), std::end(kOpeners), word) != std::end(kOpeners)) ++found.blocks;
    if (first && (word == "end" || word == "endif" || word == "endsw")) --found.blocks;
    first = false;
    word.clear();
  };
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote != 0) {
      if (c == '\\' && i + 1 < command.size()) ++i;
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '\\') {
      ++i;
      word += '\\';
    } else if (c == '\'' || c == '"') {
      quote = c;
      word += c;
    } else if (c == '#' && word.empty()) {
      found.comment = true;
      while (i + 1 < command.size() && command[i + 1] != '\n') ++i;
    } else if (c == ' ' || c == '\t') {
      end_word();
    } else if (std::string_view(";\n|&(").find(c) != std::string_view::npos) {
      end_word();
      first = true;
    } else {
      word += c;
    }
  }
  end_word();
  found.open_quote = quote != 0;
  return found;
}

/// What stands between the marks, with the separator that must follow it.
struct Joined {
  std::string text;
  std::string_view separator = "; ";
};

/// The text with its comments blanked: zsh without INTERACTIVE_COMMENTS takes them for words.
std::string without_comments(std::string_view command) {
  std::string text(command);
  const auto parsed = shell::parse(command);
  for (auto lexeme = parsed.lexemes.rbegin(); lexeme != parsed.lexemes.rend(); ++lexeme) {
    if (lexeme->kind == shell::LexemeKind::Comment)
      text.erase(lexeme->span.begin, lexeme->span.end - lexeme->span.begin);
  }
  return text;
}

base::Result<Joined> join_posix(const Dialect& dialect, std::string_view command, SessionEnd session_end) {
  const auto seen = shell::inspect(command);
  if (seen.empty) return base::fail("The command is empty; nothing was typed.");
  if (seen.state == shell::Completeness::Incomplete)
    return base::fail("The command is not complete: " + seen.reason +
                      ". Nothing was typed; close it and send it again.");
  // A `return` ends at most the line; a function that is being defined may hold one.
  const auto ending = std::find_if(seen.session_ending.begin(), seen.session_ending.end(),
                                   [](const auto& found) { return !found.command.starts_with("return"); });
  if (ending != seen.session_ending.end() && session_end == SessionEnd::refuse) {
    const auto& first = *ending;
    return base::fail("`" + first.command + "` would end or change the session it is typed into (" + first.reason +
                      "). Nothing was typed; run it in a subshell, `( … )` or `sh -c '…'`, or type it by hand.");
  }
  const bool wrong = seen.state == shell::Completeness::Error;
  const bool whole = seen.multi_line || seen.has_here_doc || command.find('\t') != std::string_view::npos;
  if (whole || wrong || seen.history_expansion) {
    const bool strip = dialect.shell == Shell::zsh && !wrong;
    return Joined{quoted_for_eval(dialect, strip ? without_comments(command) : std::string(command))};
  }
  std::string_view code = base::trimmed(command.substr(0, seen.code_end));
  switch (seen.ending) {
    case shell::Ending::Ampersand:
      return Joined{std::string(code), " "};
    case shell::Ending::Semicolon:
      return Joined{std::string(code), " "};
    default:
      return Joined{std::string(code)};
  }
}

base::Result<Joined> join_fish(const Dialect& dialect, std::string_view command, SessionEnd session_end) {
  const auto words = rough_words(command);
  const std::string_view code = base::trimmed(command);
  if (words.open_quote)
    return base::fail("The command has an open quote. Nothing was typed; close it and send it again.");
  if (code.ends_with('\\') || code.ends_with('|'))
    return base::fail("The command is not complete: something must follow its end. Nothing was typed.");
  const std::string_view first = code.substr(0, code.find_first_of(" ;"));
  if ((first == "exit" || first == "exec" || first == "logout") && session_end == SessionEnd::refuse)
    return base::fail(
        "`" + std::string(first) +
        "` would end the session it is typed into. Nothing was typed; use `sh -c '…'`, or type it by hand.");
  const bool whole = code.find('\n') != std::string_view::npos || code.find('\t') != std::string_view::npos;
  if (whole || words.comment || words.blocks != 0) return Joined{quoted_for_eval(dialect, code)};
  return Joined{std::string(code)};
}

base::Result<Joined> join_csh(std::string_view command, SessionEnd session_end) {
  const auto words = rough_words(command);
  const std::string_view code = base::trimmed(command);
  if (words.open_quote)
    return base::fail("The command has an open quote. Nothing was typed; close it and send it again.");
  if (code.find_first_of("\n\t") != std::string_view::npos)
    return base::fail(
        "csh and tcsh take one line at a time, without tabs. Nothing was typed; send the lines one by one.");
  if (words.blocks != 0)
    return base::fail(
        "csh asks for the body of a loop or `if … then` line by line. Nothing was typed; use `sh -c '…'`.");
  const std::string_view first = code.substr(0, code.find_first_of(" ;"));
  if ((first == "exit" || first == "exec" || first == "logout") && session_end == SessionEnd::refuse)
    return base::fail(
        "`" + std::string(first) +
        "` would end the session it is typed into. Nothing was typed; use `sh -c '…'`, or type it by hand.");
  const std::string safe = replace_all(code, "!", "\\!");
  // In csh a final & sends the whole line to the background, start mark and all.
  if (code.ends_with('&') && !code.ends_with("&&")) return Joined{"eval " + single_quoted(safe)};
  return Joined{safe};
}

}  // namespace

std::string quoted_for_eval(const Dialect& dialect, std::string_view command) {
  if (dialect.shell == Shell::fish) return fish_lines(command);
  if (command.find_first_of("\n\t") != std::string_view::npos) return posix_lines(dialect, command);
  return std::string(evaluator(dialect)) + ' ' + single_quoted(command);
}

base::Result<std::string> checked_text(std::string_view command) {
  const std::string_view text = base::trimmed(command);
  if (text.empty()) return base::fail("The command is empty; nothing was typed.");
  for (std::size_t i = 0; i < text.size();) {
    const auto next = base::decode_utf8(text.substr(i));
    const bool control = (next.code < 0x20 && next.code != '\n' && next.code != '\t') || next.code == 0x7f ||
                         (next.code >= 0x80 && next.code < 0xa0) || next.code == 0xfffd;
    if (control)
      return base::fail("The command holds a control character or invalid UTF-8 at byte " + std::to_string(i) +
                        ". Nothing was typed; write it as an escape that printf understands.");
    i += next.bytes;
  }
  return std::string(text);
}

namespace {

base::Result<Joined> join(const Dialect& dialect, std::string_view text, SessionEnd session_end) {
  if (dialect.posix_like()) return join_posix(dialect, text, session_end);
  return dialect.shell == Shell::csh ? join_csh(text, session_end) : join_fish(dialect, text, session_end);
}

base::Result<WrappedCommand> fitting(const Dialect& dialect, WrappedCommand wrapped) {
  if (wrapped.line.size() <= dialect.line_limit()) return wrapped;
  return base::fail("The line would be " + std::to_string(wrapped.line.size()) + " bytes long and this " +
                    std::string(shell_name(dialect.shell)) + " takes " + std::to_string(dialect.line_limit()) +
                    ". Nothing was typed; send it in shorter steps, or write a script file piece by piece.");
}

}  // namespace

base::Result<WrappedCommand> bare_command(const Dialect& dialect, std::string_view command, SessionEnd session_end) {
  auto text = checked_text(command);
  if (!text) return base::fail(text.error());
  auto joined = join(dialect, *text, session_end);
  if (!joined) return base::fail(joined.error());
  return fitting(dialect, {" " + joined->text, std::move(*text)});
}

base::Result<WrappedCommand> wrap_command(const Dialect& dialect, std::string_view command, const Nonce& nonce,
                                          SessionEnd session_end) {
  auto text = checked_text(command);
  if (!text) return base::fail(text.error());
  auto joined = join(dialect, *text, session_end);
  if (!joined) return base::fail(joined.error());
  const std::string printer(dialect.printer());
  // printf takes away the directive. Where a hook of the shell prints the line itself, escapes and all (`print "$1"` in
  // a preexec of zsh, for the title), it stays, and that is no mark.
  std::string line = " " + printer + " '" + mark_format(nonce, MarkKind::start, "%s") + "'; ";
  ((line += joined->text) += joined->separator) += printer;
  (line += " '" + mark_format(nonce, MarkKind::end, "%s") + "' ") += dialect.status();
  return fitting(dialect, {std::move(line), std::move(*text)});
}

}  // namespace remote_exec
