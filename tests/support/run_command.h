#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace support {

/// A command without a terminal: what goes in, and what came out.
struct Command {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  ///< All of it: nothing is inherited.
  std::string input;
  std::chrono::milliseconds limit{20'000};
};

struct CommandOutput {
  std::string out;
  std::string err;
  int code = -1;  ///< Exit code, 128 + signal, or -1 when it was killed at the limit.
};

CommandOutput run_command(const Command& command);

}  // namespace support
