#include "skills/skill_index.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <utility>

#include "base/unique_fd.h"
#include "base/utf8.h"
#include "model/json.h"
#include "model/utf8_clean.h"
#include "skills/built_in_skills.h"

namespace skills {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSteps[] = {250, 160, 100, 60, 0};  // Bytes of each description.

/// The beginning of a regular file.
base::Result<std::string> read_file_head(const fs::path& path, std::size_t most) {
  // Not waiting: a named pipe in a skill folder must not hold up the program.
  base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return base::fail_errno("opening " + path.string());
  struct stat info {};
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return base::fail(path.string() + " is not a file");
  std::string text(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const ssize_t count = ::read(file.get(), text.data() + size, most - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::fail_errno("reading " + path.string());
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  text.resize(size);
  return text;
}

std::uint64_t stamp_of(const fs::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return 0;
  const auto nanoseconds = static_cast<std::uint64_t>(info.st_mtim.tv_sec) * 1'000'000'000u +
                           static_cast<std::uint64_t>(info.st_mtim.tv_nsec);
  return nanoseconds ^ (static_cast<std::uint64_t>(info.st_size) << 1) ^
         (static_cast<std::uint64_t>(info.st_ino) << 20);
}

fs::path skill_file(const fs::path& folder) {
  std::error_code error;
  for (const char* name : {"SKILL.md", "skill.md"})
    if (fs::is_regular_file(folder / name, error)) return folder / name;
  return {};
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  const auto [end, mismatch] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  static_cast<void>(mismatch);
  return end == folder.end();
}

std::string cleaned(std::string_view text) {
  std::string scratch;
  return std::string(model::valid_utf8(text, scratch));
}

std::string shortened(const std::string& text, std::size_t bytes) {
  const std::string line = model::one_line(text, 4'000);
  if (line.size() <= bytes) return line;
  return std::string(base::cut_utf8(line, bytes - 3)) + "…";
}

}  // namespace

std::string_view name_of(Scope scope) {
  switch (scope) {
    case Scope::user:
      return "user";
    case Scope::config:
      return "config";
    case Scope::project:
      return "project";
    case Scope::built_in:
      return "built-in";
  }
  return "built-in";
}

std::vector<Root> SkillIndex::default_roots(const std::string& home, const std::string& config_directory,
                                            const std::string& trusted_project) {
  std::vector<Root> roots;
  if (!home.empty()) roots.push_back({fs::path(home) / ".claude/skills", Scope::user});
  if (!config_directory.empty()) roots.push_back({fs::path(config_directory) / "skills", Scope::config});
  if (!trusted_project.empty()) roots.push_back({fs::path(trusted_project) / ".claude/skills", Scope::project});
  return roots;
}

SkillIndex::SkillIndex(std::vector<Root> roots) : roots_(std::move(roots)) {
  scan();
}

void SkillIndex::scan() {
  skills_.clear();
  problems_.clear();
  std::vector<fs::path> seen;
  for (const auto& root : roots_) scan_root(root, seen);
  for (const auto& built_in : built_in_skills()) {
    auto parsed = parse_skill(built_in.text);
    if (!parsed) {
      problems_.push_back({std::string(built_in.name), parsed.error().message});
      continue;
    }
    add({std::string(built_in.name), std::string(built_in.name), std::move(parsed->front), Scope::built_in},
        "built-in");
  }
  std::sort(skills_.begin(), skills_.end(), [](const Skill& a, const Skill& b) { return a.name < b.name; });
}

void SkillIndex::scan_root(const Root& root, std::vector<fs::path>& seen) {
  std::error_code error;
  std::vector<fs::path> folders;
  for (fs::directory_iterator it(root.path, error), end; !error && it != end; it.increment(error)) {
    if (folders.size() >= kMostFolders) {
      problems_.push_back({root.path, "has more than 2000 folders; the rest is left out", false});
      break;
    }
    folders.push_back(it->path());
  }
  std::sort(folders.begin(), folders.end());
  for (const auto& folder : folders) {
    const auto file = skill_file(folder);
    if (file.empty()) continue;
    const auto real = fs::canonical(file, error);
    if (error || std::find(seen.begin(), seen.end(), real) != seen.end()) continue;  // The same skill by another way.
    seen.push_back(real);
    const auto head = read_file_head(file, kMostFrontMatter + 1'024);
    auto parsed = head ? parse_skill(*head) : base::fail(head.error());
    if (!parsed) {
      problems_.push_back({file, parsed.error().message});
      continue;
    }
    Skill skill;
    skill.folder_name = cleaned(folder.filename().string());
    skill.front = std::move(parsed->front);
    skill.name = skill.front.name.empty() ? skill.folder_name : model::one_line(skill.front.name, 64);
    skill.scope = root.scope;
    skill.folder = folder;
    skill.file = file;
    skill.stamp = stamp_of(file);
    if (skill.name != skill.folder_name) skill.front.warnings.push_back("the name differs from the folder's");
    if (const auto problem = name_problem(skill.name); !problem.empty()) skill.front.warnings.push_back(problem);
    add(std::move(skill), file);
  }
}

void SkillIndex::add(Skill skill, const std::string& where) {
  for (const auto& other : skills_)
    if (other.name == skill.name) {
      if (skill.scope != Scope::built_in)
        problems_.push_back(
            {where, "is hidden by the " + std::string(name_of(other.scope)) + " skill of that name", false});
      return;
    }
  skills_.push_back(std::move(skill));
}

const Skill* SkillIndex::find(std::string_view name) const {
  for (const auto& skill : skills_)
    if (skill.name == name) return &skill;
  for (const auto& skill : skills_)
    if (skill.folder_name == name) return &skill;
  return nullptr;
}

std::string SkillIndex::refresh() {
  std::map<std::string, std::uint64_t> before;
  for (const auto& skill : skills_) before[skill.name] = skill.stamp;
  scan();
  std::string added, changed, removed;
  for (const auto& skill : skills_) {
    const auto old = before.find(skill.name);
    const bool is_new = old == before.end();
    if (is_new && !skill.front.hidden_from_model)
      added += "\n- " + skill.name + ": " + shortened(skill.front.description, kSteps[0]);
    if (!is_new && old->second != skill.stamp) changed += (changed.empty() ? "" : ", ") + skill.name;
    if (!is_new) before.erase(old);
  }
  for (const auto& [name, stamp] : before) removed += (removed.empty() ? "" : ", ") + name;
  std::string out;
  if (!added.empty()) out += "New skills can be loaded:" + added + "\n";
  if (!changed.empty()) out += "These skills have changed; load them again before using them: " + changed + "\n";
  if (!removed.empty()) out += "These skills no longer exist: " + removed + "\n";
  if (!out.empty()) out.pop_back();
  return out;
}

std::string SkillIndex::index_text(std::size_t budget) const {
  for (const auto step : kSteps) {
    std::string out;
    for (const auto& skill : skills_) {
      if (skill.front.hidden_from_model) continue;
      out += "- " + skill.name;
      if (step > 0) out += ": " + shortened(skill.front.description, step);
      out += "\n";
    }
    if (out.size() <= budget) return out;
    if (step > 0) continue;
    out.resize(std::min(out.size(), budget));
    out.resize(out.rfind('\n') == std::string::npos ? 0 : out.rfind('\n') + 1);
    return out + "- (more skills exist; load_skill with a wrong name lists them all)\n";
  }
  return {};
}

base::Result<std::string> SkillIndex::body(const Skill& skill) const {
  std::string text;
  if (skill.scope == Scope::built_in) {
    for (const auto& built_in : built_in_skills())
      if (built_in.name == skill.name) text = built_in.text;
  } else {
    auto read = read_file_head(skill.file, kMostFrontMatter + kMostBody + 1);
    if (!read) return base::fail(read.error());
    text = std::move(*read);
  }
  auto parsed = parse_skill(text);
  if (!parsed) return base::fail("the skill " + skill.name + " cannot be read: " + parsed.error().message);
  std::string body = cleaned(parsed->body);
  if (body.size() > kMostBody)
    body = std::string(base::cut_utf8(body, kMostBody)) + "\n[The rest was left out: over 64 KiB.]";
  return body;
}

std::vector<std::string> SkillIndex::files(const Skill& skill) const {
  std::vector<std::string> out;
  if (skill.folder.empty()) return out;
  std::error_code error;
  std::size_t looked_at = 0;
  for (fs::recursive_directory_iterator it(skill.folder, error), end; !error && it != end; it.increment(error)) {
    if (it.depth() > 4 || ++looked_at > kMostFolders) break;
    const auto name = it->path().filename();
    if (it->is_directory(error) && (name == ".git" || name == "node_modules")) it.disable_recursion_pending();
    if (!it->is_regular_file(error) || it->path() == skill.file) continue;
    out.push_back(cleaned(it->path().lexically_relative(skill.folder).string()));
  }
  std::sort(out.begin(), out.end());
  if (out.size() > kMostFiles) out.resize(kMostFiles);
  return out;
}

base::Result<std::string> SkillIndex::read_file(const Skill& skill, const std::string& relative) const {
  if (skill.folder.empty()) return base::fail("the built-in skill " + skill.name + " has no files");
  std::error_code error;
  const auto folder = fs::canonical(skill.folder, error);
  if (error) return base::fail("the folder of the skill is gone: " + error.message());
  const fs::path wanted(relative);
  if (wanted.is_absolute()) return base::fail("`file` must be a path inside the skill's folder");
  const auto real = fs::canonical(folder / wanted, error);
  if (error) return base::fail("there is no file " + model::one_line(relative, 120) + " in the skill " + skill.name);
  if (!is_inside(real, folder)) return base::fail("`file` must be a path inside the skill's folder");
  auto text = read_file_head(real, kMostBody);
  if (!text) return base::fail(text.error());
  return cleaned(*text);
}

}  // namespace skills
