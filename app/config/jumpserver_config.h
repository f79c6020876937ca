#pragma once

#include <toml++/toml.h>
#include <string>
#include <vector>

#include "app/config/config.h"
#include "base/result.h"

namespace app {

/// Reads `[jumpserver]` and its profiles. Every mistake is told with file, line and key.
base::Result<void> read_jumpserver(std::vector<JumpServerProfile>& profiles, const toml::table& table,
                                   const std::string& path);

}  // namespace app
