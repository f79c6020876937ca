#pragma once

#include <vector>

#include "skills/skill_index.h"

namespace app {

/// Where skills are looked for: ~/.claude/skills and the config directory's; a project's own only when it is trusted.
std::vector<skills::Root> skill_roots();

}  // namespace app
