#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "panel/messages.h"

namespace panel {

/// What the operator can tell the panel itself.
enum class Slash {
  help,
  skills,
  skill,
  model,
  mode,
  clear,
  compact,
  cost,
  context,
  export_,
  sessions,
  resume,
  audit,
  theme,
  hooks,
  doctor,
  quit
};

/// What may follow a command, for completion.
enum class Argument { none, skill, model, mode, format, session, theme };

/// One row of the table of commands.
struct SlashCommand {
  Slash id;
  std::string_view name;      ///< Without the slash.
  std::string_view argument;  ///< As help shows it: "NAME", "[md|json]"; empty when there is none.
  Argument takes = Argument::none;
  bool needs_argument = false;
  Message help;
};

/// All of them, in the order in which help lists them.
std::span<const SlashCommand> slash_commands();

/// The words that an argument of a fixed kind may be; empty when they are not known here.
std::span<const std::string_view> fixed_choices(Argument argument);

/// A command as it was typed.
struct ParsedSlash {
  Slash id;
  std::string argument;
};

/// True when a submitted text is meant for the panel: a slash and a word at its very beginning. A path such as
/// /etc/hosts is none.
bool is_slash_command(std::string_view text);

/// Reads it, or says what is wrong with it and which commands come near.
base::Result<ParsedSlash> parse_slash(std::string_view text);

/// The lines that /help shows.
std::string slash_help();

}  // namespace panel
