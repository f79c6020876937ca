#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "remote_exec/dialect.h"

namespace remote_exec {

/// A command made ready for typing.
struct WrappedCommand {
  std::string line;   ///< What is typed, without Enter: start mark, the command in clear, end mark with its exit code.
  std::string shown;  ///< What the operator sees in its place: the command.
};

/// Whether the operator has agreed to a command that ends or changes the session itself (`exit`, `exec`, `set -e`).
enum class SessionEnd { refuse, agreed };

/// Builds the line that makes the shell report where `command` begins and ends. Refused, with advice, are commands that
/// are not complete, hold control characters, end the session or do not fit the shell's line.
base::Result<WrappedCommand> wrap_command(const Dialect& dialect, std::string_view command, const Nonce& nonce,
                                          SessionEnd session_end = SessionEnd::refuse);

/// The line for a shell whose hooks announce commands: the command alone, on one line.
base::Result<WrappedCommand> bare_command(const Dialect& dialect, std::string_view command,
                                          SessionEnd session_end = SessionEnd::refuse);

/// The command as one quoted word list that leaves no room for comments, history expansion or line ends to do harm:
/// `command eval '…'`, or for several lines `command eval "$(command printf '%s\n' 'line' 'line')"`.
std::string quoted_for_eval(const Dialect& dialect, std::string_view command);

/// Checks that hold for every level: nothing empty, no control characters. Line feeds are fine here.
base::Result<std::string> checked_text(std::string_view command);

}  // namespace remote_exec
