#pragma once

// The lists of tables in a config file: [[rules]], [[hosts]], [[hooks]], [[redact.patterns]], [[ssh.credentials]]. Only
// the config's own sources include this: it names the TOML library.

#include <toml++/toml.h>

#include "app/config/config.h"
#include "base/result.h"

namespace app {

/// "config.toml:12", where a mistake stands.
std::string place(const std::string& path, const toml::source_region& source);

base::Result<void> set_rules(Config& config, const toml::node& node);
base::Result<void> set_hosts(Config& config, const toml::node& node);
base::Result<void> set_hooks(Config& config, const toml::node& node);
base::Result<void> set_redact_patterns(Config& config, const toml::node& node);
base::Result<void> set_ssh_credentials(Config& config, const toml::node& node);
base::Result<void> set_mode(Config& config, const toml::node& node);

}  // namespace app
