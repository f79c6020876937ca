#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "safety/permission_rules.h"

namespace app {

/// rules.toml beside the config file: what the operator answered "always" to, one `[[rules]]` table each.
std::string default_rules_path();

/// The rules in such a file; a file that is not there holds none. One that others can write is refused: a rule is a
/// permission.
base::Result<std::vector<safety::Rule>> load_rules(const std::string& path);

/// Adds a rule at the end, in one write that has reached the disk when this returns. Refuses what may not be kept.
base::Result<void> save_rule(const std::string& path, const safety::Rule& rule);

/// As one line for people: `allow execute_command "systemctl restart nginx" on web01`.
std::string describe(const safety::Rule& rule);

}  // namespace app
