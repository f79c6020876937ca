#include "remote_exec/hooks.h"

#include <algorithm>
#include <utility>

namespace remote_exec {

std::string hook_line(const Dialect& dialect, const Nonce& hook, const Nonce& proof) {
  const std::string start = mark_format(hook, MarkKind::start);
  const std::string printed_start = mark_format(hook, MarkKind::start, "%s");  // As in wrap_command().
  const std::string end = mark_format(hook, MarkKind::end, "%s");
  const std::string proven = std::string(dialect.printer()) + " '" + mark_format(proof, MarkKind::probe, "ok") + "'";
  switch (dialect.shell) {
    case Shell::bash:
      // The exit code must be read first of all, and left as it was for what the operator has in PROMPT_COMMAND.
      return " PS0='" + start + "'\"${PS0-}\"; _jms_end() { local code=$?; command printf '" + end +
             "' \"$code\"; return \"$code\"; }; PROMPT_COMMAND=\"_jms_end${PROMPT_COMMAND:+; $PROMPT_COMMAND}\"; " +
             proven;
    case Shell::zsh:
      return " _jms_start() { builtin printf '" + printed_start + "' }; _jms_end() { local code=$?; builtin printf '" +
             end +
             "' $code; return $code }; preexec_functions+=(_jms_start); precmd_functions=(_jms_end "
             "$precmd_functions); " +
             proven;
    default:
      return " function _jms_start --on-event fish_preexec; builtin printf '" + printed_start +
             "'; end; function _jms_end --on-event fish_postexec; builtin printf '" + end + "' $status; end; " + proven;
  }
}

std::string ZshMarkFilter::feed(std::string_view bytes) {
  constexpr std::size_t kLongest = 1024;  // The mark fills one row.
  held_ += bytes;
  std::size_t from = held_.rfind("\033[1m\033[7m");
  if (from == std::string::npos) {
    // The beginning of one may stand at the very end.
    from = held_.find('\033', held_.size() - std::min<std::size_t>(held_.size(), 7));
    from = std::min(from, held_.size());
  }
  if (held_.size() - from > kLongest) from = held_.size();
  std::string passed = held_.substr(0, from);
  held_.erase(0, from);
  return passed;
}

std::string ZshMarkFilter::finish() {
  std::string rest = std::exchange(held_, {});
  const std::string_view mark = rest;
  constexpr std::string_view kBegin = "\033[1m\033[7m";
  const bool is_mark = mark.starts_with(kBegin) && mark.ends_with("\r \r") && mark.find('\n') == std::string_view::npos;
  return is_mark ? std::string() : rest;
}

}  // namespace remote_exec
