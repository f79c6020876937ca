#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "agent/context.h"
#include "agent/hooks.h"
#include "app/config/config.h"
#include "app/target/target.h"
#include "base/result.h"
#include "safety/permission_rules.h"
#include "safety/redactor.h"

namespace app {

/// What the operator configured for the assistant on one target, ready to use.
struct AssistantSettings {
  safety::Target where;  ///< The target as rules can name it.
  std::string user;      ///< As whom commands run there; empty: not known.
  safety::PermissionRules
      permissions;         ///< Rules and hosts' modes, of config.toml and rules.toml; the mode to begin with.
  std::string rules_path;  ///< Where "always" saves; empty: nowhere.
  std::vector<agent::Hook> hooks;
  safety::RedactorOptions redaction;
  int max_rounds = 10;
  std::chrono::milliseconds time_limit{300'000};
  double max_cost_usd = 0;
  long max_total_tokens = 0;
  agent::ContextLimits context;
  bool always_local_command = false;
};

/// Puts config.toml, rules.toml and the target together. `mode` is what the command line says; without it the strictest
/// mode of the hosts that match holds, else the config's.
/// `place` is what is known of it besides: an asset's name, nodes and labels.
base::Result<AssistantSettings> assistant_settings(const Config& config, const TargetOptions& target,
                                                   std::optional<safety::Mode> mode, const safety::Target& place = {});

/// What --mode says; nothing when it was not given.
base::Result<std::optional<safety::Mode>> mode_option(const std::string& text);

/// The target as rules can name it: what was typed, the host in it, and the host's real name by ssh_config.
safety::Target rule_target(const TargetOptions& target);

}  // namespace app
