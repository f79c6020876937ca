// Words of a command as the program will see them, as far as that can be known without running anything.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "shell/ast.h"

namespace safety {

/// One argument of a command.
struct Argument {
  std::string text;  ///< The value; when not `known`, the part of it before the first unknown.
  bool known = true;
  bool splits = false;        ///< May become several arguments, or none, when it runs.
  bool glob = false;          ///< `text` is a pattern that the shell replaces by file names.
  bool operand_only = false;  ///< Not known, but it can never begin with a dash.
  bool computed = false;      ///< Comes out of an expansion, also when we could work it out.
  std::string tail;           ///< When not known: the part after the last unknown.

  /// Whether the program could see this as an option although it does not look like one.
  bool may_be_option() const;
};

/// What is known of a variable's value: all values it can have, or nothing.
struct Variable {
  bool known = false;
  bool harmless = false;  ///< Not known, but single words that cannot be options (process numbers, object names).
  std::vector<std::string> values;
};
using Variables = std::map<std::string, Variable, std::less<>>;

/// Expands `word` as the shell would: braces, quotes, known variables; several arguments may come out of one word.
void append_arguments(const shell::Word& word, const Variables& variables, std::vector<Argument>& out);

}  // namespace safety
