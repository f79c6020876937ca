#include "remote_exec/dialect.h"

#include <array>
#include <charconv>

namespace remote_exec {
namespace {

// Measured: a terminal in canonical mode cuts at 4095 bytes; BusyBox's line editor is built with 510 bytes or 1023.
constexpr std::size_t kCanonicalLine = 4095;
constexpr std::size_t kBusyBoxLine = 510;
// Line editors took 100 kB; more than 16 kB in flight can lose an SSH session (security notes, 3).
constexpr std::size_t kEditorLine = 16 * 1024;

std::string quoted_mark(const Nonce& nonce, MarkKind kind, std::string_view payload = {}) {
  return "'" + mark_format(nonce, kind, payload) + "'";
}

std::string_view field(std::string_view payload, std::size_t index) {
  for (; index > 0; --index) {
    const auto cut = payload.find(';');
    if (cut == std::string_view::npos) return {};
    payload.remove_prefix(cut + 1);
  }
  return payload.substr(0, payload.find(';'));
}

}  // namespace

std::string_view shell_name(Shell shell) {
  static constexpr std::array<std::string_view, 8> kNames = {"bash", "zsh", "dash", "ash", "ksh", "sh", "fish", "csh"};
  return kNames.at(static_cast<std::size_t>(shell));
}

std::size_t Dialect::line_limit() const {
  if (shell == Shell::ash) return kBusyBoxLine;
  const bool has_editor = shell == Shell::bash || shell == Shell::zsh || shell == Shell::fish;
  return has_editor && edits_lines ? kEditorLine : kCanonicalLine;
}

std::string_view Dialect::printer() const {
  switch (shell) {
    case Shell::zsh:  // Its `command` means an external program.
    case Shell::fish:
      return "builtin printf";
    case Shell::csh:
      return "\\printf";
    default:
      return "command printf";
  }
}

std::string_view Dialect::status() const {
  return posix_like() ? "\"$?\"" : "$status";
}

std::string family_probe(const Nonce& nonce) {
  return " \\printf " + quoted_mark(nonce, MarkKind::probe, "%s;%s") + R"( '\\' "\\")";
}

std::optional<Shell> family_of(std::string_view payload) {
  const auto single = field(payload, 0).size();
  const auto twice = field(payload, 1).size();
  if (single == 2 && twice == 1) return Shell::posix;
  if (single == 1 && twice == 1) return Shell::fish;
  if (single == 2 && twice == 2) return Shell::csh;
  return std::nullopt;
}

std::string variant_probe(const Nonce& nonce) {
  return " \\printf " + quoted_mark(nonce, MarkKind::probe, "%s;%s;%s;%s;%s") +
         R"( "${BASH_VERSION-}" "${ZSH_VERSION-}" "${KSH_VERSION-}" "${RANDOM:+r}" "${0##*/}")";
}

Shell variant_of(std::string_view payload) {
  if (!field(payload, 0).empty()) return Shell::bash;
  if (!field(payload, 1).empty()) return Shell::zsh;
  if (!field(payload, 2).empty()) return Shell::ksh;
  const std::string_view name = field(payload, 4);
  if (name.ends_with("ash") && !name.ends_with("dash") && !name.ends_with("bash")) return Shell::ash;
  // BusyBox has $RANDOM, dash does not; an unnamed sh with it is treated as the one with the shorter line.
  if (field(payload, 3) == "r") return Shell::ash;
  return name.ends_with("dash") ? Shell::dash : Shell::posix;
}

bool variant_can_hook(std::string_view payload) {
  if (!field(payload, 1).empty()) return true;
  const std::string_view bash = field(payload, 0);
  int major = 0;
  int minor = 0;
  const auto* const end = bash.data() + bash.size();
  const auto first = std::from_chars(bash.data(), end, major);
  if (first.ec != std::errc() || first.ptr == end) return false;
  std::from_chars(first.ptr + 1, end, minor);
  return major > 4 || (major == 4 && minor >= 4);
}

std::string prompt_proof(const Dialect& dialect, const Nonce& nonce) {
  std::string line = " ";
  (line += dialect.printer()) += ' ';
  (line += quoted_mark(nonce, MarkKind::probe, "%s")) += ' ';
  return line += dialect.status();
}

}  // namespace remote_exec
