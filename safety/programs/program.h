// What is known about programs: tables by area, read with one small notation for options.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "safety/argument.h"
#include "safety/command_class.h"

namespace safety {

/// What a judge found out about one command.
struct Judgement {
  CommandClass cls = CommandClass::ReadOnly;
  std::string reason;
};

inline Judgement reads(std::string reason = "only reads") {
  return {CommandClass::ReadOnly, std::move(reason)};
}
inline Judgement changes(std::string reason) {
  return {CommandClass::Changes, std::move(reason)};
}
inline Judgement destroys(std::string reason) {
  return {CommandClass::Destructive, std::move(reason)};
}
/// At least `Changes`, for the reason given when `inner` alone would be harmless.
Judgement at_least_changes(Judgement inner, std::string reason);

/// The classifier, as a judge sees it: able to look at commands inside commands.
class Nested {
 public:
  virtual ~Nested() = default;
  virtual Judgement judge_command(std::span<const Argument> words) = 0;
  virtual Judgement judge_script(std::string_view text) = 0;
  virtual Judgement judge_assignment(std::string_view name, const Argument& value) = 0;
};

/// Where a command stands.
struct Surroundings {
  bool piped_input = false;       ///< Reads from a pipe.
  bool decoded_input = false;     ///< … in which something was fetched or decoded.
  bool credential_names = false;  ///< … from a command that was given a place of credentials.
  bool here_doc_input = false;
  bool in_terminal = true;  ///< Its output is not piped on.
};

/// A command to be judged: its program and arguments.
struct Invocation {
  std::string_view name;
  std::span<const Argument> args;
  Surroundings around;
  Nested& nested;
};

using Judge = Judgement (*)(const Invocation&);

/// Properties that hold for a program whatever its arguments are.
enum Trait : unsigned {
  kPlain = 0,
  kAnyOption = 1,     ///< No option of it writes or runs anything, so unknown and computed arguments are harmless.
  kPrints = 2,        ///< Shows the contents of its operands: credentials must not be among them.
  kNumbers = 4,       ///< Takes -20 or +20 as a count.
  kOneDash = 8,       ///< Long options begin with one dash.
  kOperandEnds = 16,  ///< Options end at the first operand.
  kSends = 32,        ///< Its arguments leave the host: computed ones carry data out.
};

/// Rows that programs with sub-commands are judged by: the longest match of `words` ("rollout status") wins.
struct SubCommand {
  std::string_view words;  ///< Alternatives separated by commas.
  CommandClass cls = CommandClass::ReadOnly;
  std::string_view reason = "only reads";
  std::string_view shorts = {};
  std::string_view longs = {};
  unsigned traits = kAnyOption;
  int max_operands = -1;
};

/// One row: a program (or several with the same options) and how it is judged.
///
/// `shorts` is as in getopt ("ab:c::" – b takes a value, c an attached one or none); `longs` are names separated by
/// blanks, ending in `=` when they take a value and in `?` when the value is optional and attached. An option that is
/// not listed means: ask. `judge` overrides all of it.
struct Program {
  std::string_view names;
  CommandClass cls = CommandClass::ReadOnly;
  std::string_view reason = "only reads";
  std::string_view shorts = {};
  std::string_view longs = {};
  unsigned traits = kPlain;
  int max_operands = -1;
  Judge judge = nullptr;
  std::span<const SubCommand> sub =
      {};                       ///< With sub-commands; `shorts` and `longs` are then what may stand before them.
  std::string_view bare = {};   ///< The reason why it only reads without any sub-command; empty: it does not.
  std::string_view needs = {};  ///< Options ("l --list") of which one must be given for it to only read.
};

const Program* find_program(std::string_view name);

/// One option as it was given.
struct Option {
  std::string name;  ///< "n", "--name" or, with kOneDash, "-name".
  std::string value;
  bool value_known = true;
};

/// Arguments sorted into options and operands.
struct Options {
  std::vector<Option> options;
  std::vector<const Argument*> operands;
  std::size_t first_operand = 0;  ///< Index into the arguments; their count when there is none.
  std::string problem;            ///< Why the arguments are not understood; empty when they are.
  bool unbounded = false;         ///< A glob or a computed word may stand for any number of operands.

  bool has(std::string_view name) const;
  const Option* find(std::string_view name) const;
};

Options read_options(std::span<const Argument> args, std::string_view shorts, std::string_view longs,
                     unsigned traits = kPlain);

/// Judges by the table row alone.
Judgement judge_by_row(const Program& program, const Invocation& call);

/// Judges by the rows of sub-commands; what none of them names is `Changes`.
Judgement judge_subcommand(const Program& program, const Invocation& call);

/// Whether a literal argument list says just `--version`, `--help` or the like.
bool only_asks_about_itself(std::span<const Argument> args);

/// All arguments are known and `text` is one of them.
bool mentions(std::span<const Argument> args, std::string_view text);

}  // namespace safety
