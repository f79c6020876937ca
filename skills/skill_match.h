#pragma once

#include <string_view>

#include "skills/skill_index.h"

namespace skills {

/// The skill whose name and description fit a question best; nullptr when none fits well enough. English words lose
/// their endings; Chinese is compared by pairs of characters.
const Skill* best_match(const SkillIndex& index, std::string_view question);

}  // namespace skills
