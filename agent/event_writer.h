#pragma once

#include <functional>
#include <string>

#include "agent/observer.h"

namespace agent {

/// Turns what the agent does into one JSON object per line: what `jms ask --json` prints. The last one is `done`.
class EventWriter : public Observer {
 public:
  using Sink = std::function<void(const std::string& line)>;
  explicit EventWriter(Sink sink) : sink_(std::move(sink)) {}

  void on_text(std::string_view text) override;
  void on_thinking(std::string_view text) override;
  void on_tool_call(const ToolCall& call) override;
  void on_approval_wanted(const ApprovalRequest& request, std::function<void(ApprovalAnswer)> answer) override;
  void on_tool_result(const ToolCall& call, const ToolResult& result) override;
  void on_retry(const model::Retry& retry) override;
  void on_compaction(const Compaction& compaction) override;
  void on_usage(const Spent& spent) override;
  void on_notice(std::string_view notice) override;
  void on_end(const End& end) override;

 private:
  void write(const Json& event) const;

  Sink sink_;
};

}  // namespace agent
