#include "app/panel_guide.h"

#include <utility>

#include "base/utf8.h"
#include "panel/messages.h"
#include "safety/sanitizer.h"

namespace app {
namespace {

using panel::Message;
using panel::say;

constexpr std::size_t kShownOutput = 400;

/// The first lines of a result, and how much more there is.
std::string excerpt(std::string_view text) {
  std::string shown(base::cut_utf8(text, kShownOutput));
  if (shown.size() < text.size()) shown += say(Message::output_cut, {std::to_string(text.size() - shown.size())});
  return shown;
}

}  // namespace

PanelGuide::PanelGuide(panel::Panel& panel, std::string target, std::function<void()> changed,
                       std::function<void()> needs_operator)
    : panel_(panel),
      target_(std::move(target)),
      changed_(std::move(changed)),
      needs_operator_(std::move(needs_operator)) {}

void PanelGuide::notice(std::string_view text) {
  panel_.add(panel::Speaker::notice, safety::sanitize(text));
  changed_();
}

void PanelGuide::on_turn_start(const agent::LoopState&) {
  panel_.set_activity(say(Message::activity_thinking));
  changed_();
}

void PanelGuide::on_text(std::string_view text) {
  panel_.append(panel::Speaker::assistant, safety::sanitize(text));
  changed_();
}

void PanelGuide::on_tool_call(const agent::ToolCall& call) {
  panel_.set_activity(say(Message::activity_running));
  notice("> " + call.activity);
}

void PanelGuide::on_approval_wanted(const agent::ApprovalRequest& request,
                                    std::function<void(agent::ApprovalAnswer)> answer) {
  answer_ = std::move(answer);
  panel_.set_activity(say(Message::activity_waits));
  const bool destructive = request.classification.effect == agent::Effect::destructive;
  const std::string where = request.place == agent::Place::operator_machine ? say(Message::this_machine) : target_;
  panel_.ask_approval({.command = safety::sanitize(request.subject, safety::Unprintable::Shown),
                       .target = where,
                       .effect = std::string(agent::name_of(request.classification.effect)),
                       .reason = request.why_asked.empty() ? request.classification.reason : request.why_asked,
                       .confirm_word = destructive ? target_ : ""},
                      std::chrono::steady_clock::now());
  needs_operator_();
  changed_();
}

void PanelGuide::answer(bool allowed, std::string why) {
  const auto reply = std::exchange(answer_, nullptr);
  if (reply) reply({allowed, std::move(why), agent::DecidedBy::operator_choice});
}

void PanelGuide::on_tool_result(const agent::ToolCall&, const agent::ToolResult& result) {
  notice(excerpt(result.content));
}

void PanelGuide::on_limit_reached(const agent::Limit& limit, std::function<void(agent::LimitAnswer)> answer) {
  notice(say(Message::limit_go_on, {limit.text}));
  answer(agent::LimitAnswer::stop);
}

void PanelGuide::on_retry(const model::Retry& retry) {
  notice(say(Message::retrying, {std::to_string(retry.wait.count() / 1000), retry.reason.message}));
}

void PanelGuide::on_stall(std::chrono::milliseconds silent) {
  notice(say(Message::model_silent, {std::to_string(silent.count() / 1000)}));
}

void PanelGuide::on_compaction(const agent::Compaction& compaction) {
  if (compaction.stage == agent::Compaction::Stage::done) notice(say(Message::compacted));
}

void PanelGuide::on_notice(std::string_view text) {
  notice(text);
}

void PanelGuide::on_end(const agent::End& end) {
  answer_ = nullptr;
  panel_.withdraw_approval();
  panel_.set_activity("");
  if (!end.note.empty()) notice(end.note);
  changed_();
}

}  // namespace app
