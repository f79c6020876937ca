#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent.h"
#include "agent/tool_runner.h"

namespace agent {

/// The loop behind one Exchange: ask the model, run what it calls, ask again, until one of the endings.
///
/// Every callback into it holds a reference, so an observer may cancel or destroy the exchange from anywhere.
class Loop : public std::enable_shared_from_this<Loop> {
 public:
  Loop(Agent::Parts parts, Agent::Options options, Conversation& conversation, Question question, Observer& observer);

  void start();
  /// Asks no question: replaces the history by a summary.
  void start_compaction();
  void cancel();
  void abandon();
  void add_input(std::string text);
  bool ended() const { return phase_ == Phase::ended; }

 private:
  enum class Phase { starting, compacting, streaming, running_tools, finishing_tools, in_hook, at_limit, ended };

  // loop.cpp: one pass
  void begin();
  void announce_mode();
  void shrink_history();
  void pass();
  void ask_model();
  void go_on(ContinueReason why);
  void on_turn(model::Turn turn);
  void on_failed_turn(const model::Turn& turn);
  void on_whole_turn(model::Turn turn);
  void on_answer(const model::Turn& turn);
  void say_and_go_on(std::string text, ContinueReason why);

  // loop_tools.cpp: calls, hooks
  void run_tools(const model::Turn& turn);
  void on_tools_done(ToolRunner::Outcome outcome);
  void append_results(ToolRunner::Outcome& outcome, bool with_extras);
  void count_failures(const std::vector<ToolRunner::Report>& reports, int denials);
  void ask_answer_hooks(const model::Turn& turn);
  std::string take_input();

  // loop_limits.cpp: limits, compaction, endings
  bool stopped_by_limit();
  void reach_limit(Limit limit);
  void after_limit(Limit::Kind kind, LimitAnswer answer);
  void on_time();
  void arm_deadline();
  void pause_clock(bool waiting);
  std::optional<std::string> over_budget() const;
  Spent spent(const model::Usage& turn) const;
  Window window() const { return {options_.model_info.context_window, options_.model_info.max_output}; }
  long coming_tokens() const;
  void compact(std::string why, SummaryInput input, std::optional<ContinueReason> then);
  void on_summary(base::Result<std::string> summary, const model::Usage& usage, std::string why,
                  std::optional<ContinueReason> then);
  void fail(const std::string& note);
  void close_and_end(Ending ending, std::string note);
  void end(Ending ending, std::string note);
  void release_work();

  /// A callback that does nothing once the loop is over, and keeps it alive while it runs.
  template <typename Function>
  auto guarded(Function function) {
    return [weak = weak_from_this(), function = std::move(function)](auto&&... args) {
      const auto self = weak.lock();
      if (self && !self->ended()) function(*self, std::forward<decltype(args)>(args)...);
    };
  }

  Agent::Parts parts_;
  Agent::Options options_;
  Conversation& conversation_;
  Question question_;
  Observer& observer_;

  Phase phase_ = Phase::starting;
  LoopState state_;
  std::string tag_;
  std::vector<std::string> input_;  ///< Typed meanwhile, not sent yet.
  model::Usage last_usage_;
  bool shown_ = false;  ///< Something of the running answer has been shown.
  bool cancelled_ = false;
  bool only_compacts_ = false;
  bool out_of_time_ = false;  ///< And the operator has not said yet what to do.
  Clock::Time deadline_;
  std::optional<Clock::Time> waiting_since_;
  int budget_steps_ = 1;
  int rounds_ = 0;  ///< The model was asked in so many.

  std::unique_ptr<Clock::Alarm> begin_alarm_;
  std::unique_ptr<Clock::Alarm> time_alarm_;
  std::unique_ptr<model::ModelClient::Stream> stream_;
  std::unique_ptr<Compactor> compactor_;
  std::shared_ptr<ToolRunner> runner_;
  std::unique_ptr<HookChain> hooks_;
};

}  // namespace agent
