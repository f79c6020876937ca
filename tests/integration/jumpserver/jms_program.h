#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/pty_program.h"
#include "tests/support/run_command.h"
#include "tests/support/test_env.h"

namespace jumpserver_test {

/// The real binary in an environment of its own: as scripts call it, and at a terminal.
class JmsProgram {
 protected:
  using Words = std::vector<std::string>;

  support::CommandOutput run(const Words& arguments, std::string input = {}) const {
    return support::run_command(
        {.argv = command_line(arguments), .environment = env_.variables(), .input = std::move(input)});
  }

  std::unique_ptr<support::PtyProgram> at_terminal(const Words& arguments) const {
    support::PtyProgram::Options options;
    options.argv = command_line(arguments);
    options.environment = env_.variables();
    options.size = {24, 100};
    return std::make_unique<support::PtyProgram>(options);
  }

  support::TestEnv env_;

 private:
  static Words command_line(const Words& arguments) {
    Words argv = {JMS_BINARY};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return argv;
  }
};

}  // namespace jumpserver_test
