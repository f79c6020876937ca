#pragma once

#include <functional>
#include <string>

#include "agent/observer.h"
#include "panel/panel.h"

namespace app {

/// Shows in the panel what the assistant does, and carries the operator's answers back.
class PanelGuide final : public agent::Observer {
 public:
  /// `changed`: the panel should be drawn again. `needs_operator`: something waits for an answer.
  PanelGuide(panel::Panel& panel, std::string target, std::function<void()> changed,
             std::function<void()> needs_operator);

  void on_turn_start(const agent::LoopState& state) override;
  void on_text(std::string_view text) override;
  void on_tool_call(const agent::ToolCall& call) override;
  void on_approval_wanted(const agent::ApprovalRequest& request,
                          std::function<void(agent::ApprovalAnswer)> answer) override;
  void on_tool_result(const agent::ToolCall& call, const agent::ToolResult& result) override;
  void on_limit_reached(const agent::Limit& limit, std::function<void(agent::LimitAnswer)> answer) override;
  void on_retry(const model::Retry& retry) override;
  void on_stall(std::chrono::milliseconds silent) override;
  void on_compaction(const agent::Compaction& compaction) override;
  void on_notice(std::string_view notice) override;
  void on_end(const agent::End& end) override;

  /// The operator's answer to the approval that is open; nothing happens when none is.
  void answer(bool allowed, std::string why);

 private:
  void notice(std::string_view text);

  panel::Panel& panel_;
  std::string target_;
  std::function<void()> changed_;
  std::function<void()> needs_operator_;
  std::function<void(agent::ApprovalAnswer)> answer_;
};

}  // namespace app
