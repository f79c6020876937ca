#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/auditor.h"
#include "agent/clock.h"
#include "agent/hooks.h"
#include "agent/observer.h"
#include "agent/tool.h"

namespace agent {

/// The calls of one turn: found, checked, allowed, run, and answered in the order they were made.
///
/// Calls that are safe beside each other run side by side; any other runs alone. Approvals are asked one at a time.
/// abandon() stops everything; no callback comes afterwards.
class ToolRunner : public std::enable_shared_from_this<ToolRunner> {
 public:
  struct Parts {
    std::vector<Tool*> tools;
    ApprovalPolicy& policy;
    Clock& clock;
    Observer& observer;
    Hooks* hooks = nullptr;
    Auditor* auditor = nullptr;
  };
  struct Context {
    std::string question;
    std::string fence_tag;  ///< Around text from the remote side.
    bool tainted = false;
    int denials = 0;  ///< In a row, so far.
  };
  /// What became of one call.
  struct Report {
    std::string key;  ///< Tool and input: the same for the same call.
    bool denied = false;
    bool failed = false;  ///< Ran or could not be run, with an error.
  };
  struct Outcome {
    std::vector<model::Block> results;
    std::vector<Report> reports;
    int denials = 0;
    bool read_remote = false;
  };
  struct Events {
    std::function<void(bool)> on_waiting;  ///< The operator is being asked (true), has answered (false).
    std::function<void(Outcome)> on_done;
  };

  static constexpr int kMostDenials = 3;
  static constexpr std::size_t kTurnResultChars = 60'000;

  ToolRunner(Parts parts, Context context, std::vector<model::ToolUse> calls, Events events);

  void start();
  void abandon();
  /// A call in flight that must not be cut short.
  bool must_finish() const;
  /// Starts nothing more; done as soon as what runs has finished.
  void wind_down();
  /// Ends everything now: what has not finished is answered with `why`.
  Outcome stop(const std::string& why);

 private:
  struct Slot {
    enum class State { waiting, asking, running, finished };
    State state = State::waiting;
    model::ToolUse use;
    Tool* tool = nullptr;
    bool safe = false;
    bool ran = false;  ///< The result is the tool's own.
    ToolCall call;
    Decision decision;
    bool edited = false;                   ///< By the operator.
    std::optional<Effect> approved_up_to;  ///< The operator wrote the command that stands there now.
    std::unique_ptr<HookChain> hooks;
    std::unique_ptr<Tool::Run> run;
    ToolResult result;
    Report report;
  };

  void advance();
  bool may_begin(const Slot& slot) const;
  void admit(std::size_t index);
  base::Result<void> check(Slot& slot) const;
  void ask_hooks(std::size_t index);
  void ask_permission(std::size_t index);
  ApprovalRequest request_for(const Slot& slot) const;
  void ask_operator(std::size_t index, ApprovalRequest request);
  void answered(std::size_t index, const ApprovalRequest& request, const ApprovalAnswer& answer);
  void edited(std::size_t index, ApprovalRequest request, const std::string& text);
  void deny(std::size_t index, const std::string& why);
  void run(std::size_t index);
  void finished(std::size_t index, ToolResult result);
  void settle(std::size_t index, ToolResult result);
  void give_up(Slot& slot);
  base::Result<void> audit(AuditEntry::Event event, const Slot& slot) const;
  Outcome collect();

  Parts parts_;
  Context context_;
  Events events_;
  std::vector<Slot> slots_;
  std::size_t next_ = 0;
  bool advancing_ = false;
  bool over_ = false;
  std::unique_ptr<Clock::Alarm> done_alarm_;
};

}  // namespace agent
