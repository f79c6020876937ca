// The part of the loop that ends things: limits of rounds, time and money, the window of the model, cancelling.

#include <algorithm>
#include <cstdio>
#include <utility>

#include "agent/loop.h"

namespace agent {

bool Loop::stopped_by_limit() {
  if (state_.total_rounds > Agent::kHardCap) {
    close_and_end(Ending::round_limit,
                  "Stopped: no question may take more than " + std::to_string(Agent::kHardCap) + " rounds.");
    return true;
  }
  if (out_of_time_ || (options_.time_limit.count() > 0 && parts_.clock.now() >= deadline_)) {
    phase_ = Phase::at_limit;
    if (!out_of_time_) on_time();
    return true;
  }
  if (state_.round > options_.max_rounds) {
    reach_limit({Limit::Kind::rounds, "The limit of " + std::to_string(options_.max_rounds) + " rounds was reached."});
    return true;
  }
  if (const auto text = over_budget()) {
    reach_limit({Limit::Kind::budget, *text});
    return true;
  }
  return false;
}

std::optional<std::string> Loop::over_budget() const {
  const auto& used = conversation_.usage();
  const long tokens = used.prompt() + used.output;
  if (options_.max_total_tokens > 0 && tokens >= options_.max_total_tokens * budget_steps_)
    return "The budget of " + std::to_string(options_.max_total_tokens) + " tokens is used up.";
  const auto cost = model::cost_of(used, options_.model_info);
  if (options_.max_cost_usd > 0 && cost && *cost >= options_.max_cost_usd * budget_steps_) {
    char text[80];
    std::snprintf(text, sizeof text, "The budget of $%.2f is used up.", options_.max_cost_usd);
    return text;
  }
  return std::nullopt;
}

Spent Loop::spent(const model::Usage& turn) const {
  return {turn, conversation_.usage(), model::cost_of(conversation_.usage(), options_.model_info)};
}

void Loop::reach_limit(Limit limit) {
  phase_ = Phase::at_limit;
  pause_clock(true);
  observer_.on_limit_reached(limit, guarded([kind = limit.kind](Loop& self, LimitAnswer answer) {
                               if (self.phase_ != Phase::at_limit) return;
                               self.pause_clock(false);
                               self.after_limit(kind, answer);
                             }));
}

void Loop::after_limit(Limit::Kind kind, LimitAnswer answer) {
  if (answer == LimitAnswer::stop) {
    if (kind == Limit::Kind::rounds)
      return close_and_end(Ending::round_limit,
                           "Stopped: the limit of " + std::to_string(options_.max_rounds) + " rounds was reached.");
    return close_and_end(Ending::budget_limit, "Stopped: " + over_budget().value_or("the budget is used up."));
  }
  LoopState state = state_;
  if (kind == Limit::Kind::rounds) state.round = 1;
  if (kind == Limit::Kind::budget) ++budget_steps_;
  state_ = std::move(state);
  pass();
}

void Loop::arm_deadline() {
  if (options_.time_limit.count() <= 0) return;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - parts_.clock.now());
  time_alarm_ =
      parts_.clock.after(std::max(left, std::chrono::milliseconds(0)), guarded([](Loop& self) { self.on_time(); }));
}

void Loop::pause_clock(bool waiting) {
  if (options_.time_limit.count() <= 0 || ended()) return;
  if (waiting) {
    waiting_since_ = parts_.clock.now();
    time_alarm_.reset();
  } else if (waiting_since_) {
    deadline_ += parts_.clock.now() - *std::exchange(waiting_since_, std::nullopt);
    arm_deadline();
  }
}

void Loop::on_time() {
  if (phase_ == Phase::finishing_tools || out_of_time_) return;
  out_of_time_ = true;
  time_alarm_.reset();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options_.time_limit).count();
  // Work goes on while the operator is asked: an answer may come first.
  const Limit limit{Limit::Kind::time, "The time limit of " + std::to_string(seconds) + " s was reached."};
  observer_.on_limit_reached(limit, guarded([text = limit.text](Loop& self, LimitAnswer answer) {
                               if (!self.out_of_time_) return;
                               self.out_of_time_ = false;
                               if (answer == LimitAnswer::stop)
                                 return self.close_and_end(Ending::time_limit, "Stopped: " + text);
                               self.deadline_ = self.parts_.clock.now() + self.options_.time_limit;
                               self.arm_deadline();
                               if (!self.stream_ && !self.runner_ && !self.hooks_ && !self.compactor_) self.pass();
                             }));
}

long Loop::coming_tokens() const {
  std::size_t chars = 0;
  for (const auto* tool : parts_.tools) chars = std::max(chars, tool->max_result_chars());
  // A small window cannot hold back room for the largest result of the largest tool.
  return std::min(static_cast<long>(chars / 3), options_.model_info.context_window / 10);
}

void Loop::start_compaction() {
  only_compacts_ = true;
  conversation_.begin_question();
  begin_alarm_ = parts_.clock.after(std::chrono::milliseconds(0), guarded([](Loop& self) {
                                      if (!self.conversation_.prepared() || self.conversation_.messages().empty())
                                        return self.end(Ending::completed, "There is nothing to summarise yet.");
                                      self.conversation_.compaction_failures = 0;  // Somebody asked: it is tried again.
                                      self.compact("asked for", SummaryInput::whole, std::nullopt);
                                    }));
}

void Loop::compact(std::string why, SummaryInput input, std::optional<ContinueReason> then) {
  if (conversation_.compaction_failures >= kMostCompactionFailures)
    return fail("the conversation is too long and could not be summarised; start a new one");
  phase_ = Phase::compacting;
  observer_.on_compaction(
      {Compaction::Stage::started, why, conversation_.estimated_tokens(), 0, conversation_.messages().size()});
  if (ended()) return;
  compactor_ = std::make_unique<Compactor>(
      parts_.client, conversation_, options_.model, input,
      guarded([why, then](Loop& self, base::Result<std::string> summary, const model::Usage& usage) {
        self.on_summary(std::move(summary), usage, why, then);
      }));
}

void Loop::on_summary(base::Result<std::string> summary, const model::Usage& usage, std::string why,
                      std::optional<ContinueReason> then) {
  const auto finished = std::move(compactor_);
  conversation_.add_usage(usage);
  Compaction event{Compaction::Stage::done, why, conversation_.estimated_tokens(), 0, conversation_.messages().size()};
  if (!summary) {
    ++conversation_.compaction_failures;
    event.stage = Compaction::Stage::failed;
    event.why = summary.error().message;
    observer_.on_compaction(event);
    if (ended()) return;
    if (only_compacts_) return end(Ending::model_error, "The conversation could not be summarised: " + event.why);
    // Near the limit there is still some room; a request that was too long stays too long.
    return then ? fail("the conversation is too long and could not be summarised: " + event.why) : ask_model();
  }
  conversation_.compaction_failures = 0;
  conversation_.compact(compacted_history(conversation_, *summary),
                        {std::move(why), event.messages_before, event.tokens_before, 0});
  event.tokens_after = conversation_.estimated_tokens();
  observer_.on_compaction(event);
  if (ended()) return;
  if (only_compacts_) {
    conversation_.append({model::Role::assistant, {model::Block::text("(Summarised at the operator's wish.)")}});
    conversation_.begin_question();
    return end(Ending::completed, {});
  }
  then ? go_on(*then) : ask_model();
}

void Loop::cancel() {
  if (ended() || cancelled_) return;
  cancelled_ = true;
  if (runner_ && runner_->must_finish()) {
    phase_ = Phase::finishing_tools;
    const auto runner = runner_;
    return runner->wind_down();
  }
  release_work();
  conversation_.roll_back();
  end(Ending::aborted, "Cancelled.");
}

void Loop::abandon() {
  if (ended()) return;
  release_work();
  conversation_.roll_back();
  phase_ = Phase::ended;
}

void Loop::release_work() {
  begin_alarm_.reset();
  time_alarm_.reset();
  stream_.reset();
  compactor_.reset();
  hooks_.reset();
  if (const auto runner = std::exchange(runner_, nullptr)) runner->abandon();
}

void Loop::fail(const std::string& note) {
  if (state_.total_rounds > 1) return close_and_end(Ending::model_error, note);
  // Nothing came of the question yet: it can be asked again as if it had not been.
  conversation_.roll_back();
  end(Ending::model_error, note);
}

void Loop::close_and_end(Ending ending, std::string note) {
  if (runner_) {
    auto outcome = runner_->stop("the question was ended");
    if (ended()) return;
    append_results(outcome, false);
  }
  release_work();
  // The next question must not follow a user message, and the model should know why it was not asked again.
  if (!conversation_.messages().empty() && conversation_.messages().back().role == model::Role::user)
    conversation_.append({model::Role::assistant, {model::Block::text("(" + note + ")")}});
  end(ending, std::move(note));
}

void Loop::end(Ending ending, std::string note) {
  release_work();
  phase_ = Phase::ended;
  End report{ending, std::move(note), take_input(), spent(last_usage_), rounds_};
  observer_.on_end(report);
}

}  // namespace agent
