// The part of the tool runner that asks: hooks, the policy, the operator; and what the answer means.

#include <utility>

#include "agent/tool_runner.h"

namespace agent {

void ToolRunner::ask_hooks(std::size_t index) {
  Slot& slot = slots_[index];
  if (!parts_.hooks) return ask_permission(index);
  Json payload = {
      {"tool", slot.use.name}, {"input", slot.use.input}, {"class", name_of(slot.call.classification.effect)}};
  slot.hooks = parts_.hooks->prepare(
      HookEvent::pre_tool, slot.use.name, std::move(payload), [this, index](const HookVerdict& verdict) {
        const auto self = shared_from_this();
        const auto keep = std::move(slots_[index].hooks);
        for (const auto& notice : verdict.notices) parts_.observer.on_notice(notice);
        if (over_) return;
        verdict.blocked ? deny(index, "a hook of the operator forbids it: " + verdict.reason) : ask_permission(index);
      });
  slot.hooks ? slot.hooks->start() : ask_permission(index);
}

ApprovalRequest ToolRunner::request_for(const Slot& slot) const {
  ApprovalRequest request;
  request.call_id = slot.use.id;
  request.tool = slot.use.name;
  request.input = slot.use.input;
  request.subject = slot.tool->subject(slot.use.input);
  request.classification = slot.call.classification;
  request.place = slot.tool->place();
  request.tainted = context_.tainted;
  request.intent = intent_of(slot.use.input);
  return request;
}

void ToolRunner::ask_permission(std::size_t index) {
  Slot& slot = slots_[index];
  ApprovalRequest request = request_for(slot);
  slot.decision = parts_.policy.decide(request);
  if (slot.decision.kind == Decision::Kind::allow) return run(index);
  if (slot.decision.kind == Decision::Kind::deny) return deny(index, slot.decision.reason);
  // Who typed a command has approved it, unless it is worse than what was on the screen.
  const auto effect = slot.call.classification.effect;
  if (slot.approved_up_to && effect <= *slot.approved_up_to && effect != Effect::destructive) {
    slot.decision = {Decision::Kind::allow, DecidedBy::operator_choice, "the operator wrote this command"};
    return run(index);
  }
  request.why_asked = slot.decision.reason;
  ask_operator(index, std::move(request));
}

void ToolRunner::ask_operator(std::size_t index, ApprovalRequest request) {
  slots_[index].approved_up_to.reset();
  parts_.policy.describe(request);
  if (events_.on_waiting) events_.on_waiting(true);
  parts_.observer.on_approval_wanted(request, [weak = weak_from_this(), index, request](const ApprovalAnswer& answer) {
    if (const auto self = weak.lock()) self->answered(index, request, answer);
  });
}

void ToolRunner::answered(std::size_t index, const ApprovalRequest& request, const ApprovalAnswer& answer) {
  Slot& slot = slots_[index];
  if (over_ || slot.state != Slot::State::asking || slot.decision.kind != Decision::Kind::ask) return;
  // An answer given twice, or to what was on the screen before an edit, counts once.
  if (request.subject != slot.tool->subject(slot.use.input)) return;
  slot.decision = {answer.allowed ? Decision::Kind::allow : Decision::Kind::deny, answer.by, answer.reason};
  if (events_.on_waiting) events_.on_waiting(false);
  if (over_) return;
  if (!answer.allowed) return deny(index, answer.reason);
  if (!answer.edited.empty() && answer.edited != request.subject) return edited(index, request, answer.edited);
  if (answer.scope != ApprovalScope::once) {
    if (auto kept = parts_.policy.remember(request, answer.scope); !kept)
      parts_.observer.on_notice("Allowed once; no rule was kept: " + kept.error().message);
    if (over_) return;
  }
  run(index);
}

void ToolRunner::edited(std::size_t index, ApprovalRequest request, const std::string& text) {
  Slot& slot = slots_[index];
  auto input = slot.tool->with_subject(slot.use.input, text);
  const base::Result<void> valid =
      input ? slot.tool->validate(*input) : base::Result<void>(base::fail("this call cannot be edited"));
  if (!valid) {
    // The old command is still the question.
    slot.decision.kind = Decision::Kind::ask;
    request.why_asked = "your change was not taken: " + valid.error().message;
    return ask_operator(index, std::move(request));
  }
  slot.approved_up_to = request.classification.effect;
  slot.edited = true;
  slot.use.input = slot.call.input = std::move(*input);
  slot.call.activity = slot.tool->activity(slot.use.input);
  slot.call.classification = slot.tool->classify(slot.use.input);
  parts_.observer.on_tool_edited(slot.call);
  if (!over_) ask_hooks(index);
}

}  // namespace agent
