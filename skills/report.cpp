#include "skills/report.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/utf8.h"

namespace skills {
namespace {

namespace fs = std::filesystem;

void check_file(const fs::path& file, CheckReport& report) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(kMostFrontMatter + SkillIndex::kMostBody + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  ++report.skills;
  const auto parsed = parse_skill(text);
  if (!parsed) {
    report.errors.push_back(file.string() + ": " + parsed.error().message);
    return;
  }
  const auto warn = [&](const std::string& what) { report.warnings.push_back(file.string() + ": " + what); };
  for (const auto& warning : parsed->front.warnings) warn(warning);
  if (const auto problem = name_problem(parsed->front.name); !problem.empty()) warn(problem);
  const auto folder = fs::absolute(file).parent_path().filename().string();
  if (!parsed->front.name.empty() && parsed->front.name != folder)
    warn("the name differs from the folder's, " + folder);
  if (parsed->body.size() > SkillIndex::kMostBody)
    warn("the body is over 64 KiB; the rest is left out when it is loaded");
  if (std::count(parsed->body.begin(), parsed->body.end(), '\n') > 500) warn("the body is over 500 lines");
}

fs::path skill_file_in(const fs::path& folder) {
  std::error_code error;
  for (const char* name : {"SKILL.md", "skill.md"})
    if (fs::is_regular_file(folder / name, error)) return folder / name;
  return {};
}

}  // namespace

std::string list_text(const SkillIndex& index) {
  std::size_t width = 0;
  for (const auto& skill : index.skills()) width = std::max(width, skill.name.size());
  std::string out;
  for (const auto& skill : index.skills()) {
    std::string scope(name_of(skill.scope));
    scope.resize(9, ' ');
    const std::string line = model::one_line(skill.front.description, 400);
    out += skill.name + std::string(width - skill.name.size() + 2, ' ') + scope + " " +
           std::string(base::cut_utf8(line, 100)) + (line.size() > 100 ? "…\n" : "\n");
  }
  for (const auto& problem : index.problems())
    out += (problem.fatal ? "broken: " : "note: ") + problem.path + ": " + problem.text + "\n";
  return out;
}

model::Json list_json(const SkillIndex& index) {
  model::Json list = model::Json::array();
  for (const auto& skill : index.skills())
    list.push_back({{"name", skill.name},
                    {"description", skill.front.description},
                    {"scope", name_of(skill.scope)},
                    {"path", skill.file.string()},
                    {"hidden_from_model", skill.front.hidden_from_model},
                    {"warnings", skill.front.warnings}});
  model::Json problems = model::Json::array();
  for (const auto& problem : index.problems())
    problems.push_back({{"path", problem.path}, {"text", problem.text}, {"fatal", problem.fatal}});
  return {{"skills", std::move(list)}, {"problems", std::move(problems)}};
}

base::Result<std::string> show(const SkillIndex& index, const std::string& name) {
  const Skill* skill = index.find(name);
  if (!skill) return base::fail("there is no skill \"" + model::one_line(name, 64) + "\"; see `jms skills list`");
  const auto body = index.body(*skill);
  if (!body) return base::fail(body.error());
  std::string out = "name: " + skill->name + "\nscope: " + std::string(name_of(skill->scope)) +
                    "\ndescription: " + skill->front.description + "\n";
  const auto field = [&out](const char* title, const std::string& value) {
    if (!value.empty()) out += std::string(title) + ": " + value + "\n";
  };
  field("path", skill->file.string());
  field("license", skill->front.license);
  field("compatibility", skill->front.compatibility);
  std::string tools;
  for (const auto& tool : skill->front.allowed_tools) tools += (tools.empty() ? "" : " ") + tool;
  field("allowed-tools", tools.empty() ? tools : tools + " (does not widen what may run)");
  for (const auto& warning : skill->front.warnings) field("warning", warning);
  for (const auto& file : index.files(*skill)) field("file", file);
  return out + "\n" + *body;
}

CheckReport check(const std::string& path) {
  CheckReport report;
  std::error_code error;
  const fs::path given(path);
  if (fs::is_regular_file(given, error)) {
    check_file(given, report);
  } else if (const auto own = skill_file_in(given); !own.empty()) {
    check_file(own, report);
  } else {
    std::vector<fs::path> files;
    for (fs::directory_iterator it(given, error), end; !error && it != end && files.size() < SkillIndex::kMostFolders;
         it.increment(error))
      if (const auto file = skill_file_in(it->path()); !file.empty()) files.push_back(file);
    std::sort(files.begin(), files.end());
    for (const auto& file : files) check_file(file, report);
  }
  if (report.skills == 0) report.errors.push_back(path + ": there is no SKILL.md here");
  return report;
}

}  // namespace skills
