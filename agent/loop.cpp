#include "agent/loop.h"

#include <algorithm>
#include <utility>

#include "agent/untrusted.h"
#include "model/utf8_clean.h"

namespace agent {
namespace {

constexpr int kMostNudges = 2;
constexpr int kMostRecoveries = 3;
constexpr int kMostErrorRetries = 1;
constexpr int kMostPauses = 5;

/// Failures of the way, not of the request: asking once more may help.
bool is_passing(model::ErrorKind kind) {
  using Kind = model::ErrorKind;
  return kind == Kind::connection || kind == Kind::stalled || kind == Kind::protocol || kind == Kind::server ||
         kind == Kind::overloaded;
}

bool has_calls(const model::Turn& turn) {
  return std::any_of(turn.replay.begin(), turn.replay.end(),
                     [](const model::Block& block) { return block.kind() == model::Block::Kind::tool_use; });
}

}  // namespace

Loop::Loop(Agent::Parts parts, Agent::Options options, Conversation& conversation, Question question,
           Observer& observer)
    : parts_(std::move(parts)),
      options_(std::move(options)),
      conversation_(conversation),
      question_(std::move(question)),
      observer_(observer),
      tag_(options_.make_tag ? options_.make_tag() : random_tag()) {}

void Loop::start() {
  conversation_.begin_question();
  begin_alarm_ = parts_.clock.after(std::chrono::milliseconds(0), guarded([](Loop& self) { self.begin(); }));
}

void Loop::begin() {
  if (options_.max_rounds <= 0) return end(Ending::disabled, "The agent is switched off (0 rounds are allowed).");
  shrink_history();
  if (!conversation_.prepared()) {
    std::vector<model::ToolSpec> specs;
    for (const auto* tool : parts_.tools) specs.push_back(tool->spec());
    conversation_.prepare(build_system_prompt(options_.prompt), std::move(specs));
  }
  announce_mode();
  conversation_.reminders.set(ReminderKind::budget, {});
  if (!model::is_blank(question_.terminal) || !question_.records.empty() || !question_.attachments.empty())
    conversation_.taint();
  conversation_.append(compose_question(question_, tag_, conversation_.reminders.take_due(), options_.context));
  deadline_ = parts_.clock.now() + options_.time_limit;
  arm_deadline();
  pass();
}

/// The operator may change the mode at any time; the model hears of it with the next message.
void Loop::announce_mode() {
  const Mode mode = parts_.policy.mode();
  std::string hints;
  for (const auto* tool : parts_.tools)
    if (const auto fragment = tool->prompt_fragment(mode); !fragment.empty())
      hints += (hints.empty() ? "" : "\n") + tool->spec().name + ": " + fragment;
  conversation_.reminders.set(ReminderKind::tool_hint, hints);
  conversation_.reminders.set(ReminderKind::mode_change, "The mode is " + std::string(name_of(mode)) + ".");
}

void Loop::shrink_history() {
  auto messages = conversation_.messages();
  const bool cleared = clear_old_content(messages, [this](std::string_view name) {
    return std::any_of(parts_.tools.begin(), parts_.tools.end(),
                       [name](const Tool* tool) { return tool->spec().name == name && tool->keeps_result(); });
  });
  const bool snipped = snip_middle(messages, options_.snip);
  if (!cleared && !snipped) return;
  conversation_.rewrite(std::move(messages));
  conversation_.begin_question();
}

void Loop::pass() {
  if (ended() || stopped_by_limit()) return;
  if (needs_compaction(conversation_, window(), coming_tokens()))
    return compact("near the limit of the model's window", SummaryInput::whole, std::nullopt);
  ask_model();
}

void Loop::ask_model() {
  phase_ = Phase::streaming;
  shown_ = false;
  rounds_ = state_.total_rounds;
  observer_.on_turn_start(state_);
  if (ended()) return;
  model::Request request;
  request.model = options_.model;
  request.system = conversation_.system();
  request.tools = conversation_.tools();
  request.messages = conversation_.messages();
  if (state_.recoveries > 0) request.max_tokens = options_.model_info.max_output;
  model::Events events;
  events.on_text = guarded([](Loop& self, std::string_view text) {
    self.shown_ = true;
    self.observer_.on_text(text);
  });
  events.on_thinking = guarded([](Loop& self, std::string_view text) {
    self.shown_ = true;
    self.observer_.on_thinking(text);
  });
  events.on_retry = guarded([](Loop& self, const model::Retry& retry) { self.observer_.on_retry(retry); });
  events.on_stall = guarded([](Loop& self, std::chrono::milliseconds silent) { self.observer_.on_stall(silent); });
  events.on_done = guarded([](Loop& self, model::Turn turn) { self.on_turn(std::move(turn)); });
  stream_ = parts_.client.start(std::move(request), std::move(events));
}

void Loop::go_on(ContinueReason why) {
  state_ = state_.next(why);
  pass();
}

void Loop::say_and_go_on(std::string text, ContinueReason why) {
  conversation_.append(model::user_message(std::move(text)));
  go_on(why);
}

void Loop::on_turn(model::Turn turn) {
  const auto finished_stream = std::move(stream_);  // Its callback is running.
  last_usage_ = turn.usage;
  conversation_.add_usage(turn.usage);
  conversation_.note_prompt_size(turn.usage.prompt());
  observer_.on_usage(spent(turn.usage));
  if (ended()) return;
  if (!turn.ok() || turn.error) return on_failed_turn(turn);
  if (turn.stop == model::StopReason::refusal) {
    // A question that was declined makes the next one be declined too: it does not stay.
    conversation_.roll_back();
    std::string note = "The model declined to answer";
    if (!turn.refusal_category.empty()) note += " (" + turn.refusal_category + ")";
    if (!turn.refusal_explanation.empty()) note += ": " + model::one_line(turn.refusal_explanation);
    return end(Ending::refused, note + ". Another model may answer, or the question put differently.");
  }
  if (turn.stop == model::StopReason::context_full) {
    if (state_.compacted) return fail("the conversation does not fit the model's window");
    return compact("the model's window is full", SummaryInput::shortened, ContinueReason::compaction_retry);
  }
  on_whole_turn(std::move(turn));
}

void Loop::on_failed_turn(const model::Turn& turn) {
  model::TurnError error = turn.error.value_or(
      model::TurnError{model::ErrorKind::connection, "incomplete", "the connection was lost before the answer ended"});
  if (error.kind == model::ErrorKind::context_too_long && !state_.compacted)
    return compact("too long for the model", SummaryInput::shortened, ContinueReason::compaction_retry);
  // Where nothing was shown the client has repeated the request itself, as often as makes sense.
  const bool lost = (shown_ && is_passing(error.kind)) || !turn.failed_generation.is_null();
  if (lost && state_.error_retries < kMostErrorRetries) {
    model::Retry retry;
    retry.attempt = state_.error_retries + 1;
    retry.max_attempts = kMostErrorRetries;
    retry.reason = error;
    observer_.on_retry(retry);
    if (!ended()) go_on(ContinueReason::retry_after_error);
    return;
  }
  fail(error.message);
}

void Loop::on_whole_turn(model::Turn turn) {
  if (turn.replay.empty())
    conversation_.append({model::Role::assistant, {model::Block::text("(no answer)")}});
  else
    conversation_.append(turn.message());
  if (turn.stop == model::StopReason::pause_turn && !has_calls(turn)) {
    if (state_.pauses < kMostPauses) return go_on(ContinueReason::paused_turn);
    return end(Ending::completed, "The server paused its own tools too often.");
  }
  if (has_calls(turn)) return run_tools(turn);
  if (turn.stop == model::StopReason::max_tokens) {
    if (state_.recoveries < kMostRecoveries) return say_and_go_on(continue_text(), ContinueReason::output_limit);
    return end(Ending::completed, "The answer was cut off by the output limit.");
  }
  on_answer(turn);
}

void Loop::on_answer(const model::Turn& turn) {
  if (state_.nudges < kMostNudges) {
    if (model::is_blank(turn.text) && state_.nudges == 0)
      return say_and_go_on(empty_answer_text(), ContinueReason::intent_nudge);
    if (!parts_.tools.empty() && announces_step(turn.text))
      return say_and_go_on(nudge_text(turn.text), ContinueReason::intent_nudge);
  }
  ask_answer_hooks(turn);
}

}  // namespace agent
