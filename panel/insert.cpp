#include "panel/insert.h"

#include "panel/messages.h"
#include "shell/inspect.h"

namespace panel {
namespace {

/// A line copied from a session: the prompt's sign is not part of the command.
std::string_view without_prompt(std::string_view line) {
  const auto begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  if (line.starts_with("$ ")) line.remove_prefix(2);
  const auto end = line.find_last_not_of(" \r");
  return line.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

}  // namespace

base::Result<std::string> insertable(std::string_view code) {
  std::string joined;
  bool first = true;
  for (std::size_t begin = 0; begin <= code.size();) {
    const auto end = std::min(code.find('\n', begin), code.size());
    const std::string_view line = without_prompt(code.substr(begin, end - begin));
    begin = end + 1;
    if (line.empty() || shell::find_control_character(line)) {
      if (line.empty()) continue;
      return base::fail(say(Message::insert_controls));
    }
    const auto seen = shell::inspect(line);
    if (seen.empty) continue;  // A comment.
    if (!first) joined += joined.ends_with('&') || joined.ends_with(';') ? " " : "; ";
    // With others beside it a line must be whole, and nothing may hide behind its comment.
    const bool whole = seen.state == shell::Completeness::Complete && !seen.has_here_doc;
    if (!whole && code.find('\n') < code.find_last_not_of("\n \r")) return base::fail(say(Message::insert_lines));
    joined += seen.trailing_comment ? line.substr(0, seen.code_end) : line;
    first = false;
  }
  if (joined.empty()) return base::fail(say(Message::insert_nothing));
  return joined;
}

}  // namespace panel
