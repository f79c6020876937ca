#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

/// The classification of a whole text.
struct Verdict {
  CommandClass cls = CommandClass::ReadOnly;
  std::string reason;
  std::vector<CommandPart> parts;
  /// Not to be run at all, not even when asked: the text holds characters that hide what it says.
  bool refused = false;
  /// The class also has a reason that is none of the parts': an odd expansion, a comment, the length, broken syntax.
  bool beyond_parts = false;
};

}  // namespace safety
