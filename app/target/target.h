#pragma once

#include <string>
#include <vector>

#include "app/config/config.h"
#include "app/target/connection.h"
#include "base/result.h"
#include "event/event_loop.h"
#include "safety/permission_rules.h"

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
  std::string profile;                   ///< --profile: which JumpServer.
  std::string via;                       ///< --via: auto, ws or ssh.
  std::string protocol;                  ///< --protocol: of a JumpServer asset.
  bool headless = false;                 ///< Nobody is there to be asked.
};

/// What is known of a target before it is opened: for the rules of hosts, and for how commands are framed there.
struct TargetFacts {
  safety::Target place;
  bool client = false;  ///< A device or database, where no shell answers.
  int ended_by = 0;     ///< The signal that came while an asset was looked up; then connect_to() has failed.
};

/// Reads the target and gives what connects to it. A target that cannot be understood is told at once; an asset of
/// JumpServer is looked up before this returns.
///
/// A password in the target (`ws://user:password@host/`) is taken out of `options`: only what connects keeps it, and
/// what is shown, recorded and told to a model afterwards does not hold it.
base::Result<Connection::Factory> connect_to(event::EventLoop& loop, TargetOptions& options, const Config& config,
                                             TargetFacts& facts);

/// The part of connect_to() for `jms://[account@]asset`.
base::Result<Connection::Factory> connect_to_asset(event::EventLoop& loop, const TargetOptions& options,
                                                   const Config& config, TargetFacts& facts);

/// The code jms exits with when connect_to() fails: a mistake on the command line, unless a server was asked.
int code_for_failure(const TargetOptions& options, const TargetFacts& facts);

/// The file of the program that runs, for an ssh that asks its questions through it.
std::string own_program();

/// What a remote is told about our terminal.
std::string operators_term();

}  // namespace app
