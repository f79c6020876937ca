#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "skills/skill_index.h"

namespace app {

/// Where skills are looked for: ~/.claude/skills and the config directory's; those of the folder jms was started in
/// only when the operator trusted it.
std::vector<skills::Root> skill_roots();

/// Folders whose own skills may be used. A skill is advice to something that runs commands: whoever writes into such a
/// folder speaks to it.
base::Result<std::vector<std::string>> trusted_folders();

/// Adds a folder, or takes it away; the list is kept in the state directory. Gives the folder's real path.
enum class Trust { add, remove };
base::Result<std::string> set_trust(const std::string& folder, Trust trust);

}  // namespace app
