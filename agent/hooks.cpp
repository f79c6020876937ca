#include "agent/hooks.h"

#include <utility>

namespace agent {

std::string_view name_of(HookEvent event) {
  switch (event) {
    case HookEvent::pre_tool:
      return "pre_tool";
    case HookEvent::post_tool:
      return "post_tool";
    case HookEvent::post_answer:
      return "post_answer";
  }
  return "pre_tool";
}

HookChain::HookChain(HookRunner& runner, HookEvent event, std::vector<std::string> commands, std::string input,
                     Done done)
    : runner_(runner),
      event_(event),
      commands_(std::move(commands)),
      input_(std::move(input)),
      done_(std::move(done)) {}

void HookChain::start() {
  run_ = runner_.start(commands_[next_], input_, Hooks::kLimit, [this](const HookOutput& output) { finished(output); });
}

void HookChain::finished(const HookOutput& output) {
  judge(output);
  if (!verdict_.blocked && ++next_ < commands_.size()) return start();
  const auto done = std::move(done_);
  done(std::move(verdict_));
}

void HookChain::judge(const HookOutput& output) {
  const std::string name =
      "the " + std::string(name_of(event_)) + " hook `" + model::one_line(commands_[next_], 80) + "`";
  if (output.started && !output.timed_out && output.exit_code == 0) {
    const auto answer = model::parse_json(output.output);
    if (!answer || model::string_at(*answer, "decision") != "block") return;
    verdict_.blocked = true;
    verdict_.reason = model::string_at(*answer, "reason");
    if (verdict_.reason.empty()) verdict_.reason = name + " blocked this";
    return;
  }
  if (output.started && !output.timed_out && output.exit_code == 2) {
    verdict_.blocked = true;
    verdict_.reason = model::one_line(output.output, 1'000);
    if (verdict_.reason.empty()) verdict_.reason = name + " blocked this";
    return;
  }
  std::string trouble = name + (!output.started    ? " could not be started"
                                : output.timed_out ? " did not finish within 5 s"
                                                   : " failed with code " + std::to_string(output.exit_code));
  if (event_ == HookEvent::pre_tool) {
    verdict_.blocked = true;
    verdict_.reason = std::move(trouble);
  } else {
    verdict_.notices.push_back(std::move(trouble));
  }
}

std::unique_ptr<HookChain> Hooks::prepare(HookEvent event, std::string_view tool, model::Json payload,
                                          HookChain::Done done) const {
  std::vector<std::string> commands;
  for (const auto& hook : hooks_)
    if (hook.event == event && (hook.tool.empty() || hook.tool == "*" || hook.tool == tool))
      commands.push_back(hook.command);
  if (commands.empty()) return nullptr;
  model::Json input = {{"event", name_of(event)}};
  input.update(payload);
  return std::make_unique<HookChain>(runner_, event, std::move(commands), model::dump_json(input) + "\n",
                                     std::move(done));
}

}  // namespace agent
