#pragma once

#include <functional>
#include <string>

#include "agent/observer.h"
#include "panel/panel.h"
#include "remote_exec/remote_shell.h"
#include "safety/sanitizer.h"

namespace app {

/// Shows in the panel what the assistant does, and carries the operator's answers back. Everything that others wrote
/// passes the Sanitizer here, before the panel sees it.
class PanelGuide final : public agent::Observer {
 public:
  struct Hooks {
    std::function<void()> changed;         ///< The panel should be drawn again.
    std::function<void()> needs_operator;  ///< Something waits for an answer.
    std::function<void()> between_calls;   ///< A result came: what the operator typed meanwhile may go along.
    std::function<void(const agent::End&)> on_end;
  };

  PanelGuide(panel::Panel& panel, std::string target, Hooks hooks);

  void on_turn_start(const agent::LoopState& state) override;
  void on_text(std::string_view text) override;
  void on_thinking(std::string_view text) override;
  void on_tool_call(const agent::ToolCall& call) override;
  void on_approval_wanted(const agent::ApprovalRequest& request,
                          std::function<void(agent::ApprovalAnswer)> answer) override;
  void on_tool_edited(const agent::ToolCall& call) override;
  void on_tool_result(const agent::ToolCall& call, const agent::ToolResult& result) override;
  void on_limit_reached(const agent::Limit& limit, std::function<void(agent::LimitAnswer)> answer) override;
  void on_retry(const model::Retry& retry) override;
  void on_stall(std::chrono::milliseconds silent) override;
  void on_compaction(const agent::Compaction& compaction) override;
  void on_usage(const agent::Spent& spent) override;
  void on_notice(std::string_view notice) override;
  void on_end(const agent::End& end) override;

  /// The operator's answer to the approval that is open; nothing happens when none is.
  void answer(const agent::ApprovalAnswer& answer);
  void answer_limit(agent::LimitAnswer answer);
  bool waits_for_operator() const { return answer_ || limit_answer_; }

  /// What the command on the terminal is doing.
  void on_run_state(remote_exec::RunState state);

  /// For the title; 0: not known.
  void set_max_rounds(int rounds) { max_rounds_ = rounds; }
  void set_context_window(long tokens) { context_window_ = tokens; }

 private:
  void notice(std::string_view text, panel::Role role = panel::Role::notice);
  void activity(std::string text);

  panel::Panel& panel_;
  std::string target_;
  Hooks hooks_;
  safety::Sanitizer text_;  ///< Of the answer that streams in; a sequence may be cut anywhere.
  safety::Sanitizer thinking_;
  std::function<void(agent::ApprovalAnswer)> answer_;
  std::function<void(agent::LimitAnswer)> limit_answer_;
  bool answering_ = false;    ///< Text of this turn has been shown.
  std::string asked_call_;    ///< The id of the call that an approval is about.
  std::string running_call_;  ///< The id of the call that uses the terminal.
  std::string rollback_;      ///< How the change that was asked about last is taken back, until its result came.
  bool typed_ = false;        ///< The call that uses the terminal has begun there.
  int max_rounds_ = 10;
  long context_window_ = 0;
};

}  // namespace app
