#pragma once

// Which skills there are. Only the front matter is read until a skill is loaded; nothing here can fail the start of
// the program: a broken skill is a line in problems().

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "skills/front_matter.h"

namespace skills {

/// Where a skill comes from; an earlier one hides a later one of the same name.
enum class Scope { user, config, project, built_in };
std::string_view name_of(Scope scope);

/// A folder that holds skill folders.
struct Root {
  std::filesystem::path path;
  Scope scope = Scope::user;
};

/// One skill.
struct Skill {
  std::string name;
  std::string folder_name;  ///< Also accepted as a name.
  FrontMatter front;
  Scope scope = Scope::built_in;
  std::filesystem::path folder;  ///< Empty for built-in ones.
  std::filesystem::path file;
  std::uint64_t stamp = 0;  ///< Changes when the file does.
};

/// Something the operator should know about a skill folder.
struct Problem {
  std::string path;
  std::string text;
  bool fatal = true;  ///< The skill is not usable.
};

/// All skills, by name.
class SkillIndex {
 public:
  static constexpr std::size_t kMostFolders = 2'000;
  static constexpr std::size_t kMostBody = 64 * 1024;
  static constexpr std::size_t kMostFiles = 50;

  explicit SkillIndex(std::vector<Root> roots);

  /// `~/.claude/skills`, `<config>/skills`, and `<project>/.claude/skills` when the operator trusts that folder.
  static std::vector<Root> default_roots(const std::string& home, const std::string& config_directory,
                                         const std::string& trusted_project);

  const std::vector<Skill>& skills() const { return skills_; }
  const std::vector<Problem>& problems() const { return problems_; }
  bool empty() const { return skills_.empty(); }
  /// By name, or by the folder's name.
  const Skill* find(std::string_view name) const;

  /// Looks at the disk again. What changed, as a reminder for the model; empty when nothing did.
  std::string refresh();

  /// "- name: description" lines for the system prompt within `budget` bytes: descriptions are shortened in steps, then
  /// left out. Always in the same order.
  std::string index_text(std::size_t budget) const;
  /// 1 % of a context window, in bytes.
  static std::size_t budget_for(long context_window) { return static_cast<std::size_t>(context_window) * 4 / 100; }

  base::Result<std::string> body(const Skill& skill) const;
  /// Paths of the other files in its folder, relative, sorted, at most kMostFiles.
  std::vector<std::string> files(const Skill& skill) const;
  /// A file inside the skill's folder; a path that leaves it is refused.
  base::Result<std::string> read_file(const Skill& skill, const std::string& relative) const;

 private:
  void scan();
  void scan_root(const Root& root, std::vector<std::filesystem::path>& seen);
  void add(Skill skill, const std::string& where);

  std::vector<Root> roots_;
  std::vector<Skill> skills_;
  std::vector<Problem> problems_;
};

}  // namespace skills
