#include "agent/command_text.h"

#include <charconv>

namespace agent {
namespace {

constexpr std::string_view kOpening = "[exit ";

}  // namespace

std::string describe_command(const CommandText& command) {
  std::string out = command.output.empty() ? "(no output)" : command.output;
  if (!out.ends_with('\n')) out += '\n';
  out.append(kOpening).append(command.exit_code ? std::to_string(*command.exit_code) : "unknown");
  if (!command.note.empty()) out += "; " + command.note;
  return out + "]";
}

CommandText parse_command(std::string_view text) {
  CommandText command;
  while (text.ends_with('\n')) text.remove_suffix(1);
  const auto line_break = text.rfind('\n');
  const auto begin = line_break == std::string_view::npos ? 0 : line_break + 1;
  const std::string_view last = text.substr(begin);
  if (!last.starts_with(kOpening) || !last.ends_with(']')) {
    command.output = text;
    return command;
  }
  int code = 0;
  const char* end = last.data() + last.size() - 1;
  const auto parsed = std::from_chars(last.data() + kOpening.size(), end, code);
  if (parsed.ec == std::errc() && (parsed.ptr == end || *parsed.ptr == ';')) command.exit_code = code;
  if (const auto at = last.find("; "); at != std::string_view::npos)
    command.note = last.substr(at + 2, last.size() - at - 3);
  command.output = text.substr(0, begin);
  if (command.output == "(no output)\n") command.output.clear();
  return command;
}

}  // namespace agent
