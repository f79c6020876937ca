#pragma once

#include <string>
#include <vector>

#include "model/json.h"
#include "skills/skill_index.h"

// What `jms skills` prints.
namespace skills {

/// One line per skill, then the problems.
std::string list_text(const SkillIndex& index);
model::Json list_json(const SkillIndex& index);

/// A skill's fields, files and body.
base::Result<std::string> show(const SkillIndex& index, const std::string& name);

/// The findings about one skill folder, SKILL.md, or folder of skill folders.
struct CheckReport {
  int skills = 0;
  std::vector<std::string> errors;    ///< It cannot be used.
  std::vector<std::string> warnings;  ///< It is used, but breaks a rule of the format.
  bool ok() const { return errors.empty() && skills > 0; }
};
CheckReport check(const std::string& path);

}  // namespace skills
