#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace skills {

/// What stands between the two `---` lines of a SKILL.md. Read leniently: only a missing description or YAML that
/// cannot be used makes a skill unusable; everything else is a warning.
struct FrontMatter {
  std::string name;  ///< Empty when none is given.
  std::string description;
  std::string license;
  std::string compatibility;
  std::vector<std::string> allowed_tools;  ///< For people; it never widens what may run.
  std::vector<std::pair<std::string, std::string>> metadata;
  bool hidden_from_model = false;
  std::vector<std::string> warnings;
};

/// A SKILL.md taken apart.
struct SkillText {
  FrontMatter front;
  std::string body;
};

inline constexpr std::size_t kMostFrontMatter = 64 * 1024;

/// Reads the front matter from the beginning of a file; the body is whatever follows in `text`.
base::Result<SkillText> parse_skill(std::string_view text);

/// What is wrong with a name by the rules of the format; empty when it is fine.
std::string name_problem(std::string_view name);

}  // namespace skills
