#include "tests/support/run_program.h"

#include <unistd.h>

#include "tests/support/run_command.h"

namespace support {

ProgramResult run_program(const std::vector<std::string>& argv, const std::string& input) {
  Command command{.argv = argv, .input = input, .limit = std::chrono::minutes(2)};
  for (char** entry = environ; *entry != nullptr; ++entry) command.environment.emplace_back(*entry);
  CommandOutput done = run_command(command);
  return {done.code, std::move(done.out), std::move(done.err)};
}

}  // namespace support
