// The part of the loop that runs calls: results, queued input, repeated failures, the hooks after an answer.

#include <utility>

#include "agent/loop.h"
#include "model/utf8_clean.h"

namespace agent {
namespace {

constexpr int kMostFailures = 3;

/// The calls of a turn as they stand in the history, so that each gets its answer.
std::vector<model::ToolUse> calls_of(const model::Turn& turn) {
  std::vector<model::ToolUse> calls;
  for (const auto& block : turn.replay) {
    if (block.kind() != model::Block::Kind::tool_use) continue;
    model::ToolUse call{std::string(block.call_id()), std::string(block.name()), nullptr, false};
    for (const auto& use : turn.tool_uses)
      if (use.id == call.id) call = use;
    calls.push_back(std::move(call));
  }
  return calls;
}

}  // namespace

void Loop::run_tools(const model::Turn& turn) {
  phase_ = Phase::running_tools;
  ToolRunner::Parts parts{parts_.tools, parts_.policy, parts_.clock, observer_, parts_.hooks, parts_.auditor};
  ToolRunner::Context context{question_.text, tag_, conversation_.tainted(), state_.denials};
  ToolRunner::Events events;
  events.on_waiting = guarded([](Loop& self, bool waiting) { self.pause_clock(waiting); });
  events.on_done = guarded([](Loop& self, ToolRunner::Outcome outcome) { self.on_tools_done(std::move(outcome)); });
  runner_ = std::make_shared<ToolRunner>(std::move(parts), std::move(context), calls_of(turn), std::move(events));
  const auto runner = runner_;
  runner->start();
}

void Loop::on_tools_done(ToolRunner::Outcome outcome) {
  runner_.reset();
  if (cancelled_) {
    conversation_.roll_back();
    return end(Ending::aborted, "Cancelled.");
  }
  count_failures(outcome.reports, outcome.denials);
  const bool denied = state_.denials >= ToolRunner::kMostDenials;
  const bool failing = state_.failures >= kMostFailures;
  append_results(outcome, !denied && !failing);
  if (denied) return close_and_end(Ending::denied, "Stopped: three calls in a row were not allowed.");
  if (failing) return close_and_end(Ending::repeated_failure, "Stopped: the same call failed three times in a row.");
  go_on(ContinueReason::next_turn);
}

void Loop::append_results(ToolRunner::Outcome& outcome, bool with_extras) {
  if (outcome.read_remote) conversation_.taint();
  model::Message message{model::Role::user, std::move(outcome.results)};
  if (with_extras) {
    announce_mode();
    const bool last_round = state_.round + 1 == options_.max_rounds;
    conversation_.reminders.set(
        ReminderKind::budget,
        last_round ? "This is the last round before the limit: answer now with what you have." : "");
    const bool crowded = conversation_.estimated_tokens() > window().effective() * 8 / 10;
    conversation_.reminders.set(ReminderKind::context_warning,
                                crowded ? "The conversation is nearly as long as it may be: keep output short." : "");
    if (auto reminder = conversation_.reminders.take_due(); !reminder.empty())
      message.blocks.push_back(model::Block::text(std::move(reminder)));
    if (auto typed = take_input(); !typed.empty()) {
      message.blocks.push_back(model::Block::text("The operator adds: " + typed));
      observer_.on_notice("Sent along: " + typed);
    }
  }
  conversation_.append(std::move(message));
}

void Loop::count_failures(const std::vector<ToolRunner::Report>& reports, int denials) {
  LoopState state = state_;
  state.denials = denials;
  for (const auto& report : reports) {
    const bool same = report.failed && report.key == state.failing_call;
    state.failures = !report.failed ? 0 : same ? state.failures + 1 : 1;
    state.failing_call = report.failed ? report.key : std::string();
    if (state.failures >= kMostFailures) break;
  }
  state_ = std::move(state);
}

void Loop::add_input(std::string text) {
  if (!ended() && !model::is_blank(text)) input_.push_back(std::move(text));
}

std::string Loop::take_input() {
  std::string joined;
  for (auto& text : std::exchange(input_, {})) joined += (joined.empty() ? "" : "\n") + text;
  return joined;
}

void Loop::ask_answer_hooks(const model::Turn& turn) {
  const auto done = guarded([](Loop& self, const HookVerdict& verdict) {
    const auto chain = std::move(self.hooks_);
    for (const auto& notice : verdict.notices) self.observer_.on_notice(notice);
    if (self.ended()) return;
    if (!verdict.blocked || self.state_.hook_heard) return self.end(Ending::completed, {});
    self.say_and_go_on("A hook of the operator is not satisfied with this answer: " + verdict.reason,
                       ContinueReason::hook_feedback);
  });
  if (parts_.hooks)
    hooks_ =
        parts_.hooks->prepare(HookEvent::post_answer, {}, {{"question", question_.text}, {"answer", turn.text}}, done);
  if (!hooks_) return end(Ending::completed, {});
  phase_ = Phase::in_hook;
  hooks_->start();
}

}  // namespace agent
