#include "agent/tool_runner.h"

#include <algorithm>
#include <utility>

#include "agent/untrusted.h"
#include "base/head_tail.h"
#include "model/utf8_clean.h"

namespace agent {
namespace {

ToolResult error(std::string text) {
  return {std::move(text), true};
}

std::string known_names(const std::vector<Tool*>& tools) {
  std::string names;
  for (const auto* tool : tools) names += (names.empty() ? "" : ", ") + tool->spec().name;
  return names.empty() ? "none" : names;
}

/// Head and tail of a result within its budget, as valid UTF-8, never blank.
std::string budgeted(std::string_view content, std::size_t limit) {
  std::string scratch;
  content = model::valid_utf8(content, scratch);
  if (model::is_blank(content)) return "(no output)";
  if (content.size() <= limit) return std::string(content);
  base::HeadTail kept(limit);
  kept.append(content);
  return kept.text();
}

}  // namespace

ToolRunner::ToolRunner(Parts parts, Context context, std::vector<model::ToolUse> calls, Events events)
    : parts_(std::move(parts)), context_(std::move(context)), events_(std::move(events)) {
  for (auto& use : calls) {
    Slot slot;
    slot.report.key = use.name + " " + model::dump_json(without_intent(use.input));
    slot.call = {use.id, use.name, use.input, "Running " + use.name, {}};
    slot.use = std::move(use);
    slots_.push_back(std::move(slot));
  }
}

void ToolRunner::start() {
  advance();
}

void ToolRunner::abandon() {
  over_ = true;
  done_alarm_.reset();
  events_ = {};
  for (auto& slot : slots_) give_up(slot);
}

/// A call that was begun has an end in the record, also when nobody will ever know how it ended.
void ToolRunner::give_up(Slot& slot) {
  slot.hooks.reset();
  slot.run.reset();
  if (slot.state != Slot::State::running || slot.ran) return;
  static_cast<void>(audit(AuditEntry::Event::end, slot));  // There is nobody left to tell that it cannot be written.
}

bool ToolRunner::must_finish() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const Slot& slot) {
    return slot.state == Slot::State::running && slot.run &&
           slot.tool->interrupt_behavior() == InterruptBehavior::finish_first;
  });
}

void ToolRunner::wind_down() {
  const auto self = shared_from_this();
  next_ = slots_.size();
  for (std::size_t i = 0; i < slots_.size() && !over_; ++i) {
    const auto state = slots_[i].state;
    if (state == Slot::State::waiting || state == Slot::State::asking)
      settle(i, error("This call was not run: the operator cancelled."));
  }
  advance();
}

ToolRunner::Outcome ToolRunner::stop(const std::string& why) {
  const auto self = shared_from_this();
  over_ = true;
  done_alarm_.reset();
  events_ = {};
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (slot.state == Slot::State::finished) continue;
    const bool ran = slot.state == Slot::State::running;
    give_up(slot);
    settle(i, error((ran ? "This call was stopped before it finished: " : "This call was not run: ") + why));
  }
  return collect();
}

bool ToolRunner::may_begin(const Slot& slot) const {
  for (const auto& other : slots_) {
    if (other.state == Slot::State::asking) return false;
    if (other.state == Slot::State::running && !(other.safe && slot.safe)) return false;
  }
  return true;
}

void ToolRunner::advance() {
  if (advancing_ || over_) return;
  const auto self = shared_from_this();
  advancing_ = true;
  while (!over_ && next_ < slots_.size()) {
    Slot& slot = slots_[next_];
    // Whether it may run beside others is only known once its tool and its input are.
    if (!slot.tool)
      if (auto checked = check(slot); !checked) {
        const std::size_t index = next_++;
        parts_.observer.on_tool_call(slot.call);
        if (!over_) settle(index, error(checked.error().message));
        continue;
      }
    if (!may_begin(slot)) break;
    admit(next_++);
  }
  advancing_ = false;
  const bool all =
      std::all_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.state == Slot::State::finished; });
  if (over_ || !all || done_alarm_) return;
  done_alarm_ = parts_.clock.after(std::chrono::milliseconds(0), [this] {
    const auto keep = shared_from_this();
    over_ = true;
    if (const auto done = std::move(events_.on_done)) done(collect());
  });
}

base::Result<void> ToolRunner::check(Slot& slot) const {
  const auto found = std::find_if(parts_.tools.begin(), parts_.tools.end(),
                                  [&](const Tool* tool) { return tool->spec().name == slot.use.name; });
  if (found == parts_.tools.end())
    return base::fail("There is no tool named `" + model::one_line(slot.use.name, 64) +
                      "`. The tools are: " + known_names(parts_.tools) + ".");
  if (!slot.use.executable || !slot.use.input.is_object())
    return base::fail(
        "This call was not run: its input was cut off or is not a JSON object. Make the call again with "
        "the whole input.");
  if (auto valid = (*found)->validate(slot.use.input); !valid)
    return base::fail("Not run, the input is wrong: " + valid.error().message + ". Correct it and call again.");
  slot.tool = *found;
  slot.safe = slot.tool->is_concurrency_safe(slot.use.input);
  slot.call.activity = slot.tool->activity(slot.use.input);
  slot.call.classification = slot.tool->classify(slot.use.input);
  return {};
}

void ToolRunner::admit(std::size_t index) {
  Slot& slot = slots_[index];
  slot.state = Slot::State::asking;
  parts_.observer.on_tool_call(slot.call);
  if (over_) return;
  if (context_.denials >= kMostDenials) return deny(index, "three calls in a row were not allowed");
  ask_hooks(index);
}

void ToolRunner::deny(std::size_t index, const std::string& why) {
  Slot& slot = slots_[index];
  const bool by_operator = slot.decision.by == DecidedBy::operator_choice;
  slot.decision.kind = Decision::Kind::deny;
  slot.decision.reason = why;
  slot.report.denied = true;
  ++context_.denials;
  static_cast<void>(audit(AuditEntry::Event::refused, slot));  // A refusal that cannot be recorded still stands.
  std::string text = by_operator ? "The operator did not allow this call" : "This call is not allowed";
  if (!why.empty()) text += ": " + why;
  settle(index, error(text + ". It was not run. Do not repeat it; go on without it or explain what you would need."));
  advance();
}

void ToolRunner::run(std::size_t index) {
  Slot& slot = slots_[index];
  context_.denials = 0;
  if (auto recorded = audit(AuditEntry::Event::start, slot); !recorded) {
    parts_.observer.on_notice("Not run, the audit record cannot be written: " + recorded.error().message);
    if (over_) return;
    settle(index, error("This call was not run: the audit record cannot be written. Tell the operator."));
    return advance();
  }
  slot.state = Slot::State::running;
  slot.run = slot.tool->start(slot.use.input, [this, index](ToolResult result) { finished(index, std::move(result)); });
  advance();
}

void ToolRunner::finished(std::size_t index, ToolResult result) {
  if (over_) return;
  const auto self = shared_from_this();
  Slot& slot = slots_[index];
  slot.run.reset();  // The lane must be free before the next call begins.
  slot.ran = true;
  slot.result = std::move(result);
  if (auto recorded = audit(AuditEntry::Event::end, slot); !recorded)
    parts_.observer.on_notice("The audit record cannot be written: " + recorded.error().message);
  if (over_) return;
  const auto after = [this, index](const HookVerdict& verdict) {
    const auto alive = shared_from_this();
    const auto chain = std::move(slots_[index].hooks);
    for (const auto& notice : verdict.notices) parts_.observer.on_notice(notice);
    if (over_) return;
    ToolResult with_note = std::move(slots_[index].result);
    if (verdict.blocked) with_note.content += "\n[A hook of the operator says: " + verdict.reason + "]";
    settle(index, std::move(with_note));
    advance();
  };
  if (parts_.hooks) {
    Json payload = {{"tool", slot.use.name},
                    {"input", slot.use.input},
                    {"result", slot.result.content},
                    {"is_error", slot.result.is_error}};
    slot.hooks = parts_.hooks->prepare(HookEvent::post_tool, slot.use.name, std::move(payload), after);
  }
  slot.hooks ? slot.hooks->start() : after({});
}

void ToolRunner::settle(std::size_t index, ToolResult result) {
  Slot& slot = slots_[index];
  const std::size_t share = kTurnResultChars / std::max<std::size_t>(slots_.size(), 1);
  const std::size_t limit = slot.tool ? slot.tool->max_result_chars() : 2'000;
  result.content = budgeted(result.content, slots_.size() > 2 ? std::min(limit, share) : limit);
  slot.state = Slot::State::finished;
  slot.report.failed = result.is_error && !slot.report.denied;
  slot.result = std::move(result);
  parts_.observer.on_tool_result(slot.call, slot.result);
}

base::Result<void> ToolRunner::audit(AuditEntry::Event event, const Slot& slot) const {
  if (!parts_.auditor || slot.tool->place() == Place::nowhere) return {};
  AuditEntry entry{event,
                   event == AuditEntry::Event::end && !slot.ran,
                   slot.use.name,
                   slot.tool->subject(slot.use.input),
                   slot.call.classification,
                   slot.decision.by,
                   slot.decision.reason,
                   {},
                   {},
                   context_.question};
  if (event == AuditEntry::Event::end) {
    entry.details = slot.result.details;
    entry.output = slot.result.content;
  }
  return parts_.auditor->record(entry);
}

ToolRunner::Outcome ToolRunner::collect() {
  Outcome outcome;
  outcome.denials = context_.denials;
  for (auto& slot : slots_) {
    const bool remote = slot.ran && slot.tool->place() == Place::remote;
    outcome.read_remote = outcome.read_remote || remote;
    std::string content = remote ? fence(slot.result.content, context_.fence_tag) : slot.result.content;
    // Behind the fence: these words are ours, and the model must not take the result for that of its own command.
    if (slot.edited && slot.ran)
      content +=
          "\n[The operator changed the call before it ran. What ran: " + slot.tool->subject(slot.use.input) + "]";
    outcome.results.push_back(model::Block::tool_result(slot.use.id, std::move(content), slot.result.is_error));
    outcome.reports.push_back(slot.report);
  }
  return outcome;
}

}  // namespace agent
