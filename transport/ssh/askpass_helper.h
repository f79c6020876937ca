#pragma once

#include <optional>

namespace transport {

/// jms as the program that ssh asks its questions (SSH_ASKPASS): passes the one in `argv[1]` on to the jms that started
/// that ssh, and prints its answer. Gives the code to exit with; nothing when jms was not started for that.
std::optional<int> run_as_askpass_helper(int argc, char** argv);

}  // namespace transport
