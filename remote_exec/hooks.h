// Level *hook*, for operators who turn it on: one readable line makes this shell announce start, end and exit code of
// every command by itself, for as long as it lives. Commands are then typed bare, and the bastion's record shows
// nothing else.
#pragma once

#include <string>
#include <string_view>

#include "remote_exec/dialect.h"

namespace remote_exec {

/// The line that installs the hooks with marks of `hook`, and then proves that it ran with a mark of `proof`. What the
/// operator had in PS0, PROMPT_COMMAND or the function lists stays and runs as before. Only for dialects that can_hook.
std::string hook_line(const Dialect& dialect, const Nonce& hook, const Nonce& proof);

/// Takes zsh's mark for a missing final newline (an inverse % and blanks to the margin) off the end of an output: zsh
/// draws it before its hooks run. Bytes that may be the mark are held back until more come.
class ZshMarkFilter {
 public:
  std::string feed(std::string_view bytes);
  /// The output has ended: what was held back and is not the mark.
  std::string finish();

 private:
  std::string held_;
};

}  // namespace remote_exec
