#pragma once

#include <string>
#include <string_view>

namespace local_exec {

/// Why a command cannot work without a terminal, and what to do instead; empty when nothing speaks against it. Looks
/// at every command in the text, also behind wrappers such as `timeout` and `env`.
std::string needs_terminal(std::string_view command);

/// The same program by its name alone, for words of one's own.
std::string interactive_program(std::string_view command);

/// Output as a person would read it: no escape sequences, no control characters except line feeds and tabs, and of a
/// line that was overwritten only the last state.
std::string readable(std::string_view output);

}  // namespace local_exec
