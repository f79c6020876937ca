#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "agent/approval_policy.h"
#include "agent/loop_state.h"
#include "agent/tool.h"
#include "model/model_client.h"

namespace agent {

/// A call as people see it.
struct ToolCall {
  std::string id;
  std::string name;
  Json input;
  std::string activity;
  Classification classification;
};

/// A limit was reached; the question stops there unless somebody lets it go on.
struct Limit {
  enum class Kind { rounds, time, budget };
  Kind kind = Kind::rounds;
  std::string text;  ///< One sentence for the operator.
};
enum class LimitAnswer { stop, go_on };

/// The history is being, or has been, replaced by a summary.
struct Compaction {
  enum class Stage { started, done, failed };
  Stage stage = Stage::started;
  std::string why;  ///< "near the limit", "too long for the model", "asked for"; for `failed`, what went wrong.
  long tokens_before = 0;
  long tokens_after = 0;
  std::size_t messages_before = 0;
};

/// The tokens used so far, and what they cost if the prices are known.
struct Spent {
  model::Usage turn;   ///< The latest answer.
  model::Usage total;  ///< The whole conversation.
  std::optional<double> cost_usd;
};

/// How a question ended.
struct End {
  Ending ending = Ending::completed;
  std::string note;    ///< A sentence for the operator; empty when all went well.
  std::string unsent;  ///< What the operator typed meanwhile and nobody has answered: the next question.
  Spent spent;
  int rounds = 0;
};

/// Whoever watches the agent work: the panel, the headless command, a test. All calls come from the event loop.
/// Text may contain control characters; whoever shows it filters it.
class Observer {
 public:
  virtual ~Observer() = default;

  virtual void on_turn_start(const LoopState&) {}
  virtual void on_text(std::string_view) {}
  virtual void on_thinking(std::string_view) {}
  virtual void on_tool_call(const ToolCall&) {}
  /// Answer once, now or later. A cancelled question takes no answer any more.
  virtual void on_approval_wanted(const ApprovalRequest&, std::function<void(ApprovalAnswer)> answer) {
    answer({false, "nobody is there to ask", DecidedBy::policy});
  }
  /// The operator changed what would run; this is how the call reads now.
  virtual void on_tool_edited(const ToolCall&) {}
  virtual void on_tool_result(const ToolCall&, const ToolResult&) {}
  virtual void on_limit_reached(const Limit&, std::function<void(LimitAnswer)> answer) { answer(LimitAnswer::stop); }
  /// The request is made again; text of the failed attempt no longer counts.
  virtual void on_retry(const model::Retry&) {}
  virtual void on_stall(std::chrono::milliseconds) {}
  virtual void on_compaction(const Compaction&) {}
  virtual void on_usage(const Spent&) {}
  /// Something the operator should know and the model need not: a hook that failed, input that was sent along.
  virtual void on_notice(std::string_view) {}
  virtual void on_end(const End&) {}
};

}  // namespace agent
