#pragma once

#include <string>
#include <vector>

#include "app/config.h"
#include "app/connection.h"
#include "base/result.h"
#include "event/event_loop.h"

namespace app {

/// Where the operator wants to go and how, as given on the command line.
struct TargetOptions {
  std::string target;
  std::string shell;                     ///< --shell, for `local`.
  std::string jump;                      ///< -J
  std::vector<std::string> identities;   ///< -i
  std::string user;                      ///< -l
  int port = 0;                          ///< -p
  std::string ssh_config;                ///< -F
  std::vector<std::string> ssh_options;  ///< -o
  bool forward_agent = false;            ///< -A
};

/// Reads the target and gives what connects to it. A target that cannot be understood is told at once.
base::Result<Connection::Factory> connect_to(event::EventLoop& loop, const TargetOptions& options,
                                             const Config& config);

}  // namespace app
