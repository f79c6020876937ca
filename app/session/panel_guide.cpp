#include "app/session/panel_guide.h"

#include <utility>

#include "agent/command_text.h"
#include "agent/untrusted.h"
#include "panel/messages.h"
#include "panel/text_wrap.h"

namespace app {
namespace {

using panel::Card;
using panel::Message;
using panel::Role;
using panel::say;

constexpr int kActivityCells = 24;

Card::Place place_of(std::string_view tool) {
  if (tool == "execute_command") return Card::Place::remote;
  if (tool == "local_command") return Card::Place::local;
  if (tool == "load_skill") return Card::Place::skill;
  return Card::Place::other;
}

/// What the card is about: the command itself, the skill's name, else what the tool says it does.
std::string title_of(const agent::ToolCall& call) {
  for (const char* field : {"command", "name"}) {
    const auto found = call.input.is_object() ? call.input.find(field) : call.input.end();
    if (found != call.input.end() && found->is_string())
      return safety::sanitize(found->get<std::string>(), safety::Unprintable::Shown);
  }
  return safety::sanitize_line(call.activity);
}

/// Whether the command did something, as far as its result tells; one that was stopped half-way has no details.
bool has_run(const agent::ToolResult& result, bool typed) {
  const std::string status = result.details.value("status", "");
  if (status == "rejected" || status == "busy" || status == "waiting_review") return false;
  return typed || !result.details.empty();
}

std::string seconds_text(std::chrono::milliseconds time) {
  return std::to_string((time.count() + 999) / 1000);
}

}  // namespace

PanelGuide::PanelGuide(panel::Panel& panel, std::string target, Hooks hooks)
    : panel_(panel), target_(std::move(target)), hooks_(std::move(hooks)) {}

void PanelGuide::notice(std::string_view text, Role role) {
  panel_.conversation().note(safety::sanitize(text), role);
  hooks_.changed();
}

void PanelGuide::activity(std::string text) {
  panel_.set_activity(std::move(text));
  hooks_.changed();
}

void PanelGuide::on_turn_start(const agent::LoopState& state) {
  panel_.status().round = state.round;
  panel_.status().max_rounds = max_rounds_;
  text_ = safety::Sanitizer();
  thinking_ = safety::Sanitizer();
  answering_ = false;
  activity(say(Message::activity_thinking));
}

void PanelGuide::on_text(std::string_view text) {
  if (const std::string clean = text_.feed(text); !clean.empty()) {
    if (!std::exchange(answering_, true)) panel_.conversation().begin_answer();
    panel_.conversation().answer(clean);
  }
  hooks_.changed();
}

void PanelGuide::on_thinking(std::string_view text) {
  if (const std::string clean = thinking_.feed(text); !clean.empty()) panel_.conversation().think(clean);
  hooks_.changed();
}

void PanelGuide::on_tool_call(const agent::ToolCall& call) {
  const Card::Place place = place_of(call.name);
  const std::string title = title_of(call);
  panel_.conversation().begin_card(call.id, place, title);
  if (place == Card::Place::remote) {
    running_call_ = call.id;
    typed_ = false;
  }
  const std::string first = title.substr(0, title.find('\n'));
  activity(say(Message::activity_running) + " " + panel::shorten(first, kActivityCells, "…"));
}

void PanelGuide::on_approval_wanted(const agent::ApprovalRequest& request,
                                    std::function<void(agent::ApprovalAnswer)> answer) {
  answer_ = std::move(answer);
  asked_call_ = request.call_id;
  if (Card* card = panel_.conversation().card(request.call_id)) card->set_state(Card::State::waiting);
  const bool destructive = request.classification.effect == agent::Effect::destructive;
  const bool local = request.place == agent::Place::operator_machine;
  panel::ApprovalView view;
  // Every byte of what would run is visible: nothing may hide from the one who answers for it.
  view.command = safety::show_every_byte(request.subject);
  const std::string& where = request.target.empty() ? target_ : request.target;
  view.target = local ? say(Message::this_machine) : safety::sanitize_line(where);
  if (!local) view.user = safety::sanitize_line(request.user);
  view.purpose = safety::sanitize(request.intent.purpose);
  view.check = safety::sanitize(request.intent.check);
  view.backup = safety::sanitize(request.intent.backup);
  view.rollback = rollback_ = safety::sanitize(request.intent.rollback);
  view.taint = safety::sanitize_line(request.taint);
  view.may_last = request.may_last;
  view.always_rule = safety::sanitize_line(request.always_rule);
  view.always_refused = safety::sanitize_line(request.always_refused);
  view.effect = std::string(agent::name_of(request.classification.effect));
  view.reason = safety::sanitize_line(request.why_asked.empty() ? request.classification.reason : request.why_asked);
  if (!local && target_ != "local") view.recorded = say(Message::recorded_as_typed);
  view.destructive = destructive;
  if (destructive) view.confirm_word = view.target;
  panel_.ask_approval(std::move(view));
  activity(say(Message::activity_waits));
  hooks_.needs_operator();
}

void PanelGuide::on_tool_edited(const agent::ToolCall& call) {
  rollback_.clear();  // It was meant for the command as the model wrote it.
  if (Card* card = panel_.conversation().card(call.id)) card->set_title(title_of(call));
  hooks_.changed();
}

void PanelGuide::answer(const agent::ApprovalAnswer& answer) {
  const auto reply = std::exchange(answer_, nullptr);
  if (!reply) return;
  Card* card = panel_.conversation().card(asked_call_);
  if (card && answer.allowed) card->set_state(Card::State::running);
  reply(answer);
}

void PanelGuide::answer_limit(agent::LimitAnswer answer) {
  const auto reply = std::exchange(limit_answer_, nullptr);
  if (reply) reply(answer);
}

void PanelGuide::on_tool_result(const agent::ToolCall& call, const agent::ToolResult& result) {
  const bool typed = running_call_ == call.id && typed_;
  if (running_call_ == call.id) running_call_.clear();
  if (Card* card = panel_.conversation().card(call.id)) {
    const auto text = agent::parse_command(agent::inside_fence(result.content));
    Card::End end;
    const bool refused = card->state() == Card::State::waiting || (result.is_error && result.details.empty());
    end.state = refused ? Card::State::refused : result.is_error ? Card::State::failed : Card::State::done;
    end.exit_code = text.exit_code;
    end.duration = std::chrono::milliseconds(result.details.value("duration_ms", 0L));
    end.total_bytes = result.details.value("total_bytes", std::size_t{0});
    end.truncated = result.details.value("truncated", false);
    const bool skill = place_of(call.name) == Card::Place::skill;
    (refused ? end.note : end.output) = safety::sanitize(skill && !refused ? result.content : text.output);
    if (!text.note.empty()) end.note = safety::sanitize(text.note);
    card->finish(std::move(end));
  }
  if (asked_call_ == call.id)
    if (std::string rollback = std::exchange(rollback_, {}); !rollback.empty() && has_run(result, typed))
      panel_.offer_rollback(std::move(rollback));
  hooks_.between_calls();
  activity(say(Message::activity_thinking));
}

void PanelGuide::on_run_state(remote_exec::RunState state) {
  Card* card = running_call_.empty() ? nullptr : panel_.conversation().card(running_call_);
  if (!card || card->state() == Card::State::waiting) return;
  typed_ = typed_ || state == remote_exec::RunState::running;
  switch (state) {
    case remote_exec::RunState::needs_input:
      card->set_state(Card::State::needs_input);
      break;
    case remote_exec::RunState::waiting_review:
      card->set_state(Card::State::review);
      break;
    default:
      card->set_state(Card::State::running);
  }
  hooks_.changed();
}

void PanelGuide::on_limit_reached(const agent::Limit& limit, std::function<void(agent::LimitAnswer)> answer) {
  limit_answer_ = std::move(answer);
  panel_.ask_limit(safety::sanitize(limit.text));
  activity(say(Message::activity_waits));
  hooks_.needs_operator();
}

void PanelGuide::on_retry(const model::Retry& retry) {
  // What came of the failed attempt no longer counts.
  if (std::exchange(answering_, false)) panel_.conversation().retract_answer();
  text_ = safety::Sanitizer();
  notice(say(Message::retrying, {seconds_text(retry.wait), retry.reason.message}), Role::muted);
}

void PanelGuide::on_stall(std::chrono::milliseconds silent) {
  notice(say(Message::model_silent, {seconds_text(silent)}), Role::muted);
}

void PanelGuide::on_compaction(const agent::Compaction& compaction) {
  switch (compaction.stage) {
    case agent::Compaction::Stage::started:
      return activity(say(Message::activity_compacting));
    case agent::Compaction::Stage::done:
      return notice(say(Message::compacted), Role::muted);
    case agent::Compaction::Stage::failed:
      return notice(compaction.why);
  }
}

void PanelGuide::on_usage(const agent::Spent& spent) {
  panel_.status().cost_usd = spent.cost_usd;
  if (context_window_ > 0 && spent.turn.prompt() > 0)
    panel_.status().context_percent =
        static_cast<int>(std::min(100L, (spent.turn.prompt() + spent.turn.output) * 100 / context_window_));
  hooks_.changed();
}

void PanelGuide::on_notice(std::string_view text) {
  notice(text);
}

void PanelGuide::on_end(const agent::End& end) {
  answer_ = nullptr;
  limit_answer_ = nullptr;
  running_call_.clear();
  panel_.withdraw_approval();
  panel_.withdraw_limit();
  panel_.set_activity("");
  if (!end.note.empty()) notice(end.note);
  hooks_.changed();
  hooks_.on_end(end);
}

}  // namespace app
