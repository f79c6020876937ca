#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/command_text.h"

namespace skills {

/// Something a step's output should show, in words that a person and a program can judge:
///   exit 0 · output · no output · contains "x" · lacks "x" · value < 1.5 · column 5 < 90
/// `value` is the first number of the output, `column` holds for every line that has a number there (a % is ignored).
/// After `otherwise:` stands what it means when it does not hold.
struct Expectation {
  enum class Kind { exit_code, output, no_output, contains, lacks, value, column, unknown };
  enum class Compare { less, less_equal, greater, greater_equal, equal };
  Kind kind = Kind::unknown;
  Compare compare = Compare::less;
  int column = 0;
  double number = 0;
  std::string words;
  std::string text;       ///< As written, without `otherwise:`.
  std::string otherwise;  ///< May be empty.
};
Expectation parse_expectation(std::string_view text);

/// Whether an expectation held. Unknown when the output does not tell.
struct Judgement {
  enum class Verdict { held, failed, unknown };
  Verdict verdict = Verdict::unknown;
  std::string evidence;  ///< The line or figure that decided.
};
Judgement judge(const Expectation& expectation, const agent::CommandText& command);

/// One check of a runbook.
struct Step {
  std::string title;
  std::string command;
  std::vector<Expectation> expectations;
};

/// The steps of a skill: its fenced `bash` (or `sh`) blocks, each with the `expect:` lines that follow it.
std::vector<Step> parse_runbook(std::string_view body);

}  // namespace skills
