#include "skills/load_skill_tool.h"

#include <utility>

namespace skills {
namespace {

class ResultDelivery : public agent::Tool::Run {
 public:
  ResultDelivery(agent::Clock& clock, agent::ToolResult result, agent::Tool::Done done) {
    alarm_ = clock.after(std::chrono::milliseconds(0),
                         [result = std::move(result), done = std::move(done)] { done(result); });
  }

 private:
  std::unique_ptr<agent::Clock::Alarm> alarm_;
};

}  // namespace

LoadSkillTool::LoadSkillTool(const SkillIndex& index, agent::Clock& clock) : index_(index), clock_(clock) {
  spec_.name = "load_skill";
  spec_.description =
      "Loads a runbook (skill) by its name from the list of skills. Use it first when a skill fits the question, then "
      "follow it. With `file`, reads one of the files that the skill lists.";
  spec_.input_schema = {
      {"type", "object"},
      {"properties",
       {{"name", {{"type", "string"}, {"description", "The skill's name, as listed."}}},
        {"file", {{"type", "string"}, {"description", "A file of the skill, relative to its folder."}}}}},
      {"required", agent::Json::array({"name"})},
      {"additionalProperties", false}};
}

agent::Classification LoadSkillTool::classify(const agent::Json&) const {
  return {agent::Effect::read_only, "reads a skill"};
}

std::string LoadSkillTool::activity(const agent::Json& input) const {
  return "Loading the skill " + model::one_line(model::string_at(input, "name"), 64);
}

agent::ToolResult LoadSkillTool::load(const std::string& name, const std::string& file) const {
  const Skill* skill = index_.find(name);
  if (!skill || skill->front.hidden_from_model) {
    std::string names;
    for (const auto& known : index_.skills())
      if (!known.front.hidden_from_model) names += (names.empty() ? "" : ", ") + known.name;
    return {"There is no skill named `" + model::one_line(name, 64) + "`. The skills are: " + names + ".", true};
  }
  auto text = file.empty() ? index_.body(*skill) : index_.read_file(*skill, file);
  if (!text) return {text.error().message + ".", true};
  std::string head = "Skill: " + skill->name + (file.empty() ? "" : "\nFile: " + file);
  if (!skill->folder.empty()) head += "\nFolder on the operator's machine: " + skill->folder.string();
  if (file.empty())
    if (const auto files = index_.files(*skill); !files.empty()) {
      head += "\nFiles (load_skill with `file`):";
      for (const auto& one : files) head += "\n  " + one;
    }
  return {head + std::string(kSkillRule) + *text};
}

std::unique_ptr<agent::Tool::Run> LoadSkillTool::start(const agent::Json& input, Done done) {
  return std::make_unique<ResultDelivery>(
      clock_, load(std::string(model::string_at(input, "name")), std::string(model::string_at(input, "file"))),
      std::move(done));
}

}  // namespace skills
