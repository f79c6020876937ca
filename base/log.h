#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace base {

/// How much of what happens is written down.
enum class LogLevel { off, error, info, debug };

/// The program's log: a file for the one who looks for a fault, never the terminal.
///
/// No key, no password and nothing a remote printed or an operator typed goes in; log_content() is the one exception
/// and writes only after the operator asked for it by name.
struct LogSettings {
  LogLevel level = LogLevel::error;
  bool content = false;               ///< --log-content
  std::function<std::string()> path;  ///< Asked with the first line; empty: nothing is written.
};

void set_log(LogSettings settings);

/// Nothing for a word that is no level.
bool log_level_named(std::string_view name, LogLevel& level);

void log_error(std::string_view line);
void log_info(std::string_view line);
void log_debug(std::string_view line);

/// Bytes of the session itself, made printable.
void log_content(std::string_view what, std::string_view bytes);

}  // namespace base
