#pragma once

#include <string_view>
#include <vector>

namespace skills {

/// A runbook that comes with jms: its folder's name and its SKILL.md.
struct BuiltInSkill {
  std::string_view name;
  std::string_view text;
};

const std::vector<BuiltInSkill>& built_in_skills();

}  // namespace skills
