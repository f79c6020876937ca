// The cases of the matrix: one command in the words of each family of shells, and what must come of it.
#pragma once

#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "remote_exec/command_result.h"
#include "remote_exec/dialect.h"
#include "terminal/screen.h"

namespace support {

/// How a shell of the matrix is started, with nothing of the tester's own settings.
struct ShellUnderTest {
  std::string name;
  std::vector<std::string> argv;
  std::vector<std::string> environment = {};
  remote_exec::Shell dialect = remote_exec::Shell::posix;
};
std::ostream& operator<<(std::ostream& out, const ShellUnderTest& shell);

std::vector<ShellUnderTest> all_shells();
/// The shell of that name with more in its environment.
ShellUnderTest shell_named(const std::string& name, std::vector<std::string> environment = {});
/// All that the shell gets to see; its files go below `home`.
std::vector<std::string> environment_of(const ShellUnderTest& shell, const std::string& home);
/// The same as one line for a remote command: `env -i NAME='value' … shell`.
std::string command_line_of(const ShellUnderTest& shell, const std::string& home);

/// One command and what must come of it.
struct ExecCase {
  std::string name;
  std::string posix;  ///< Empty here and below: not sayable in that family.
  std::string fish;
  std::string csh;
  std::string output;
  std::optional<int> exit_code = 0;
  remote_exec::Status status = remote_exec::Status::done;
  remote_exec::Reason reason = remote_exec::Reason::none;
  std::chrono::milliseconds timeout{10'000};
  std::chrono::milliseconds bound{6'000};  ///< How long all of it may take on a quick link.
  bool output_is_pattern = false;

  std::string words_for(remote_exec::Shell shell) const;
};
std::ostream& operator<<(std::ostream& out, const ExecCase& one);

std::vector<ExecCase> exec_cases();

/// Expects the exact output, exit code or none, status and reason.
void expect_result(const ShellUnderTest& shell, const ExecCase& expected, const remote_exec::CommandResult& result);
/// Expects `text`, what the screen shows since before `command`, to hold nothing of ours.
void expect_nothing_of_ours(const std::string& text, const std::string& command);
/// Expects the terminal as a prompt wants it: main screen, visible cursor.
void expect_sane(const terminal::Screen& screen);

}  // namespace support
