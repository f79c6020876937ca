#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/pty_program.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_env.h"

namespace faults {

/// What a fault may leave behind.
struct Left {
  using Events = std::vector<std::string>;

  std::optional<Events> events;  ///< Of the record, in order; not given: whatever began has its end.
  std::string marks;             ///< One "x\n" for each time the command ran.
};
inline const Left kNothing{.events = Left::Events{}, .marks = ""};
/// The assistant's one command began, and how it ended is recorded.
inline const Left kOneCommand{.events = Left::Events{"start", "end"}, .marks = "x\n"};

/// Sees what a fault leaves of jms in its home: how often the assistant's command ran, what was recorded, and whether
/// jms starts again. Every test of a fault ends with expect_whole().
///
/// The command comes from a runbook of the test's own and leaves a mark each time it runs, in a folder that no fault
/// touches.
class Witness {
 public:
  explicit Witness(const support::TestEnv& env);

  /// What to ask so that the offline engine runs the command.
  static constexpr const char* kQuestion = "why is the frobnicator slow?";
  /// Leaves its mark, says "frob-began" and takes long.
  const std::string& command() const { return command_; }
  /// The same, done at once.
  const std::string& short_command() const { return short_command_; }
  std::string marks() const;

  /// jms as scripts call it, with the offline engine.
  support::CommandOutput run(std::vector<std::string> arguments, std::string input = {}) const;
  /// The record, after its chain was found whole; empty when there is none yet.
  std::vector<nlohmann::json> records() const;
  Left::Events events() const;

  /// The record is whole, every start has its end, the command ran as often as `left` says and not again, and the next
  /// start works: a session on a terminal, and the assistant.
  void expect_whole(const Left& left) const;

 private:
  std::vector<std::string> variables() const;
  void expect_next_session() const;

  const support::TestEnv& env_;
  support::TempDir folder_;
  std::string short_command_;
  std::string command_;
};

/// The terminal is as it was before the program: its line settings, and every mode that the program can set.
void expect_restored(const support::PtyProgram& program);

}  // namespace faults
