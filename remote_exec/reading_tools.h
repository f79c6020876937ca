#pragma once

#include <functional>
#include <memory>
#include <string>

#include "agent/clock.h"
#include "agent/tool.h"
#include "terminal/screen.h"

namespace remote_exec {

/// A tool that only looks at something jms holds already: nothing runs, nothing changes.
class ReadingTool : public agent::Tool {
 public:
  const model::ToolSpec& spec() const override { return spec_; }
  agent::Classification classify(const agent::Json&) const override {
    return {agent::Effect::read_only, "reads what jms keeps"};
  }
  bool is_concurrency_safe(const agent::Json&) const override { return true; }
  agent::Place place() const override { return agent::Place::remote; }
  std::unique_ptr<Run> start(const agent::Json& input, Done done) override;

 protected:
  ReadingTool(agent::Clock& clock, model::ToolSpec spec) : clock_(clock), spec_(std::move(spec)) {}
  virtual agent::ToolResult read(const agent::Json& input) const = 0;

 private:
  agent::Clock& clock_;
  model::ToolSpec spec_;
};

/// Reads a long output that execute_command could only show in part.
class ReadOutputTool final : public ReadingTool {
 public:
  ReadOutputTool(agent::Clock& clock, std::string directory);

 private:
  agent::ToolResult read(const agent::Json& input) const override;
  std::string directory_;
};

/// Reads the screen and the scrollback of the session.
class ReadTerminalTool final : public ReadingTool {
 public:
  /// `screen` brings the model of the screen up to date and gives it.
  ReadTerminalTool(agent::Clock& clock, std::function<const terminal::Screen&()> screen);

 private:
  agent::ToolResult read(const agent::Json& input) const override;
  std::function<const terminal::Screen&()> screen_;
};

}  // namespace remote_exec
