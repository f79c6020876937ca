#include "app/skill_roots.h"

#include <cstdlib>
#include <filesystem>

#include "app/config.h"

namespace app {

std::vector<skills::Root> skill_roots() {
  const char* home = std::getenv("HOME");
  const std::string config_directory = std::filesystem::path(default_config_path()).parent_path().string();
  return skills::SkillIndex::default_roots(home ? home : "", config_directory, "");
}

}  // namespace app
