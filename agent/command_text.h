#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace agent {

/// What a command's run looks like to the model: its output, then one line in brackets about how it ended.
struct CommandText {
  std::string output;
  std::optional<int> exit_code;  ///< Nothing when it is not known; never 0 for that.
  std::string note;              ///< "timed out after 30 s", "rejected by the bastion: …"; may be empty.
};

/// "…output…\n[exit 0]", "…\n[exit unknown; timed out after 30 s]".
std::string describe_command(const CommandText& command);

/// The same read back. A text without the last line has no exit code.
CommandText parse_command(std::string_view text);

}  // namespace agent
