#include "remote_exec/hooks.h"

namespace remote_exec {

std::string hook_line(const Dialect& dialect, const Nonce& hook, const Nonce& proof) {
  const std::string start = mark_format(hook, MarkKind::start);
  const std::string end = mark_format(hook, MarkKind::end, "%s");
  const std::string proven = std::string(dialect.printer()) + " '" + mark_format(proof, MarkKind::probe, "ok") + "'";
  switch (dialect.shell) {
    case Shell::bash:
      // The exit code must be read first of all, and left as it was for what the operator has in PROMPT_COMMAND.
      return " PS0='" + start + "'\"${PS0-}\"; _jms_end() { local code=$?; command printf '" + end +
             "' \"$code\"; return \"$code\"; }; PROMPT_COMMAND=\"_jms_end${PROMPT_COMMAND:+; $PROMPT_COMMAND}\"; " +
             proven;
    case Shell::zsh:
      return " _jms_start() { builtin printf '" + start + "' }; _jms_end() { local code=$?; builtin printf '" + end +
             "' $code; return $code }; preexec_functions+=(_jms_start); precmd_functions=(_jms_end "
             "$precmd_functions); " +
             proven;
    default:
      return " function _jms_start --on-event fish_preexec; builtin printf '" + start +
             "'; end; function _jms_end --on-event fish_postexec; builtin printf '" + end + "' $status; end; " + proven;
  }
}

}  // namespace remote_exec
