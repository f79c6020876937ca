#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "remote_exec/marks.h"

namespace remote_exec {

/// The shells whose words we know. `posix` is any sh that says no name.
enum class Shell { bash, zsh, dash, ash, ksh, posix, fish, csh };

std::string_view shell_name(Shell shell);

/// How a proven shell wants to be spoken to.
struct Dialect {
  Shell shell = Shell::posix;
  bool edits_lines = false;  ///< It showed a line editor (bracketed paste), so the kernel's line limit does not apply.

  bool can_hook = false;           ///< It has hooks that announce every command.
  std::optional<Nonce> hook = {};  ///< Set once they are installed (level hook).

  bool posix_like() const { return shell != Shell::fish && shell != Shell::csh; }
  /// The longest line it takes without losing the end.
  std::size_t line_limit() const;
  /// The words that print without aliases or functions in between.
  std::string_view printer() const;
  /// The variable that holds the last exit code, as typed.
  std::string_view status() const;
};

/// A line that is valid and quiet in every shell we know and tells their families apart: they read backslashes in
/// single and double quotes differently.
std::string family_probe(const Nonce& nonce);

/// What family_probe() found. `posix` stands for the whole family; nothing when the payload makes no sense.
std::optional<Shell> family_of(std::string_view payload);

/// A second line for the POSIX family, which asks for the variables that name the shell.
std::string variant_probe(const Nonce& nonce);
Shell variant_of(std::string_view payload);
/// True when the shell behind this answer has hooks: zsh, and bash from 4.4 (PS0).
bool variant_can_hook(std::string_view payload);

/// A line that only shows that this shell is at its prompt.
std::string prompt_proof(const Dialect& dialect, const Nonce& nonce);

}  // namespace remote_exec
