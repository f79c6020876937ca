#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "safety/argument.h"

namespace safety {

/// What running a command would do, from harmless to worst.
enum class CommandClass : std::uint8_t { ReadOnly, Changes, Destructive };

/// "read-only", "changes", "destructive".
constexpr std::string_view name_of(CommandClass cls) {
  switch (cls) {
    case CommandClass::ReadOnly:
      return "read-only";
    case CommandClass::Changes:
      return "changes";
    case CommandClass::Destructive:
      return "destructive";
  }
  return "destructive";
}

constexpr CommandClass worse(CommandClass a, CommandClass b) {
  return a > b ? a : b;
}

/// One simple command of a text, and what was found about it.
struct CommandPart {
  std::string command;
  CommandClass cls = CommandClass::ReadOnly;
  std::string reason;
};

/// A program as a text would start it: by itself, or by another program in front of it.
struct ProgramRun {
  std::vector<Argument> words;
  CommandClass cls = CommandClass::ReadOnly;
  bool nested = false;  ///< What it runs in turn was understood and stands among the runs too.
  bool fed = false;     ///< Reads a pipe, a file or a here-document.
};

/// The classification of a whole text.
struct Verdict {
  CommandClass cls = CommandClass::ReadOnly;
  std::string reason;
  std::vector<CommandPart> parts;
  /// What rules are held against. A text with more words than a person would read has more runs than stand here; it is
  /// then `beyond_parts`.
  std::vector<ProgramRun> runs;
  std::size_t run_words = 0;  ///< In all of them.
  /// Not to be run at all, not even when asked: the text holds characters that hide what it says.
  bool refused = false;
  /// The class also has a reason that is none of the parts': an odd expansion, a comment, the length, broken syntax.
  bool beyond_parts = false;
};

}  // namespace safety
