#pragma once

namespace app {

/// Exit codes that scripts rely on.
enum ExitCode { kDone = 0, kFailed = 1, kUsage = 2, kInterrupted = 130 };

/// Reads the command line, does what it says and returns the exit code.
int run(int argc, char** argv);

}  // namespace app
