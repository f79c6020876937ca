#pragma once

#include "agent/clock.h"
#include "agent/tool.h"
#include "skills/skill_index.h"

namespace skills {

/// Gives the model a runbook by its name, or a file of one. Only what the index knows can be named.
class LoadSkillTool : public agent::Tool {
 public:
  LoadSkillTool(const SkillIndex& index, agent::Clock& clock);

  const model::ToolSpec& spec() const override { return spec_; }
  agent::Classification classify(const agent::Json&) const override;
  bool is_concurrency_safe(const agent::Json&) const override { return true; }
  bool keeps_result() const override { return true; }
  std::size_t max_result_chars() const override { return SkillIndex::kMostBody + 4'096; }
  std::string activity(const agent::Json& input) const override;
  std::unique_ptr<Run> start(const agent::Json& input, Done done) override;

 private:
  agent::ToolResult load(const std::string& name, const std::string& file) const;

  const SkillIndex& index_;
  agent::Clock& clock_;
  model::ToolSpec spec_;
};

/// What stands in front of a skill's text in the result, so that it can be taken off again.
inline constexpr std::string_view kSkillRule = "\n---\n";

}  // namespace skills
