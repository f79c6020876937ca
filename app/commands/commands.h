#pragma once

#include <string>

namespace CLI {
class App;
}

namespace app {

/// What a command leaves for main to return.
struct Outcome {
  int exit_code = 0;
};

/// Options that every command understands.
struct CommonOptions {
  std::string config_path;
};

// Each adds one command with its options; parsing the command line then runs the command named.
void add_open_target(CLI::App& jms, const CommonOptions& common, Outcome& outcome);
void add_debug(CLI::App& jms, Outcome& outcome);

/// Prints "jms: …" on standard error and returns `exit_code`.
int complain(const std::string& sentence, int exit_code);

}  // namespace app
