#pragma once

#include <functional>
#include <memory>
#include <string>

#include "agent/approval_policy.h"
#include "agent/tool.h"
#include "remote_exec/remote_shell.h"

namespace remote_exec {

/// Runs a command in the operator's own session. One lane: the agent runs its calls one after the other.
class ExecuteCommandTool : public agent::Tool {
 public:
  /// Starts a command where the session is; the returned run cancels it. ExecSession and Session give this.
  using Runner = std::function<std::unique_ptr<agent::Tool::Run>(ExecRequest, std::function<void(CommandResult)>)>;

  struct Options {
    int default_timeout_s = 60;
    int max_timeout_s = 600;
    bool attended = true;  ///< Somebody can answer what a command asks.
  };

  ExecuteCommandTool(Runner runner, agent::CommandClassifier classifier, Options options);

  const model::ToolSpec& spec() const override { return spec_; }
  std::string prompt_fragment(agent::Mode mode) const override;
  base::Result<void> validate(const agent::Json& input) const override;
  agent::Classification classify(const agent::Json& input) const override;
  agent::Place place() const override { return agent::Place::remote; }
  std::size_t max_result_chars() const override { return 31'000; }
  std::string activity(const agent::Json& input) const override;
  std::string subject(const agent::Json& input) const override;
  std::optional<agent::Json> with_subject(const agent::Json& input, const std::string& text) const override;
  std::unique_ptr<Run> start(const agent::Json& input, Done done) override;

 private:
  Runner runner_;
  agent::CommandClassifier classifier_;
  Options options_;
  model::ToolSpec spec_;
};

/// What a command's end looks like to the model.
agent::ToolResult to_tool_result(const CommandResult& result);

}  // namespace remote_exec
