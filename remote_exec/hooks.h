// Level *hook*, for operators who turn it on: one readable line makes this shell announce start, end and exit code of
// every command by itself, for as long as it lives. Commands are then typed bare, and the bastion's record shows
// nothing else.
#pragma once

#include <string>

#include "remote_exec/dialect.h"

namespace remote_exec {

/// The line that installs the hooks with marks of `hook`, and then proves that it ran with a mark of `proof`. What the
/// operator had in PS0, PROMPT_COMMAND or the function lists stays and runs as before. Only for dialects that can_hook.
std::string hook_line(const Dialect& dialect, const Nonce& hook, const Nonce& proof);

}  // namespace remote_exec
