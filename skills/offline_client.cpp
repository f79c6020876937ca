#include "skills/offline_client.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "agent/context.h"
#include "agent/untrusted.h"
#include "skills/load_skill_tool.h"
#include "skills/offline_report.h"
#include "skills/skill_match.h"
#include "skills/step_tools.h"

namespace skills {
namespace {

using model::Block;

// A question has ten rounds: one to load the runbook, one to see which programs are there, one to report; the steps
// in between share the rest.
constexpr std::size_t kTurnsForSteps = 7;

model::Turn said(std::string text) {
  model::Turn turn;
  turn.outcome = model::Outcome::complete;
  turn.stop = model::StopReason::end_turn;
  turn.text = std::move(text);
  turn.replay.push_back(Block::text(turn.text));
  turn.origin = turn.model = "offline";
  return turn;
}

void add_call(model::Turn& turn, const std::string& id, const std::string& tool, model::Json input) {
  turn.stop = model::StopReason::tool_use;
  turn.replay.push_back(Block::tool_use(id, tool, input));
  turn.tool_uses.push_back({id, tool, std::move(input), true});
}

bool offers(const model::Request& request, std::string_view tool) {
  return std::any_of(request.tools.begin(), request.tools.end(),
                     [tool](const model::ToolSpec& spec) { return spec.name == tool; });
}

/// The question that is being answered: the last message that begins one.
std::size_t question_at(const std::vector<model::Message>& messages) {
  for (std::size_t i = messages.size(); i > 0; --i)
    if (agent::begins_question(messages[i - 1])) return i - 1;
  return 0;
}

/// What the calls since the question came to, in order.
std::vector<DoneCall> calls_since(const std::vector<model::Message>& messages, std::size_t question) {
  std::vector<DoneCall> calls;
  for (std::size_t i = question; i < messages.size(); ++i)
    for (const auto& block : messages[i].blocks) {
      if (block.kind() == Block::Kind::tool_use) {
        const auto* input = model::member(block.wire(), "input");
        calls.push_back(
            {std::string(block.call_id()), std::string(block.name()), input ? *input : model::Json::object()});
      }
      if (block.kind() != Block::Kind::tool_result) continue;
      for (auto& call : calls)
        if (call.id == block.call_id()) call.result = block.text(), call.is_error = block.is_error();
    }
  return calls;
}

/// How far a runbook has come, read from the calls made for it.
struct Progress {
  std::vector<Step> steps;
  std::vector<std::string> checks;  ///< What is typed first: which programs are there.
  std::vector<StepRun> runs;        ///< One for each step.
  std::vector<std::size_t> next;    ///< The steps that have yet to run.
};

/// The programs that no check showed; a check that did not run to its end tells nothing.
std::set<std::string> absent_after(const std::vector<std::string>& tools, const DoneCall* checks, std::size_t count) {
  std::string shown;
  for (std::size_t i = 0; i < count; ++i) {
    const auto check = agent::parse_command(agent::inside_fence(checks[i].result));
    if (checks[i].is_error || check.exit_code != 0 || !check.note.empty()) return {};
    shown += check.output + "\n";
  }
  return absent_tools(tools, shown);
}

/// `calls` begins with the one that loaded the runbook and outlives what is returned.
Progress progress_of(const std::vector<DoneCall>& calls) {
  Progress out;
  const std::string_view text = calls[0].result;
  const auto rule = text.find(kSkillRule);
  out.steps = parse_runbook(rule == std::string_view::npos ? text : text.substr(rule));
  std::vector<std::string> tools;
  for (const auto& step : out.steps)
    for (auto& tool : tools_of(step.command))
      if (std::find(tools.begin(), tools.end(), tool) == tools.end()) tools.push_back(std::move(tool));
  out.checks = tool_checks(tools);
  std::size_t done = 1 + out.checks.size();
  const auto absent = calls.size() < done ? std::set<std::string>{} : absent_after(tools, &calls[1], out.checks.size());
  for (std::size_t i = 0; i < out.steps.size(); ++i) {
    auto found = tools_without(out.steps[i].command, absent);
    const bool ran = found.works && done < calls.size();
    if (found.works && !ran) out.next.push_back(i);
    out.runs.push_back({ran ? &calls[done++] : nullptr, std::move(found.lacking)});
  }
  return out;
}

class TurnDelivery : public model::ModelClient::Stream {
 public:
  TurnDelivery(agent::Clock& clock, model::Turn turn, model::Events events) {
    alarm_ = clock.after(std::chrono::milliseconds(0),
                         [turn = std::move(turn), events = std::move(events), alive = std::weak_ptr<bool>(alive_)] {
                           if (events.on_text && !turn.text.empty()) events.on_text(turn.text);
                           for (const auto& use : turn.tool_uses)
                             if (events.on_tool_use && !alive.expired()) events.on_tool_use(use);
                           if (!alive.expired()) events.on_done(turn);
                         });
  }

 private:
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::unique_ptr<agent::Clock::Alarm> alarm_;
};

}  // namespace

std::unique_ptr<model::ModelClient::Stream> OfflineClient::start(model::Request request, model::Events events) {
  return std::make_unique<TurnDelivery>(clock_, answer(request), std::move(events));
}

model::Turn OfflineClient::answer(const model::Request& request) const {
  if (request.messages.empty()) return no_match(request);
  const std::size_t question = question_at(request.messages);
  const auto calls = calls_since(request.messages, question);
  const auto id = [&](std::size_t n) { return "offline_" + std::to_string(question) + "_" + std::to_string(n); };

  if (calls.empty()) {
    const Skill* skill = best_match(index_, agent::question_text(request.messages[question]));
    if (!skill || !offers(request, "load_skill")) return no_match(request);
    auto turn = said("Offline runbook engine (no language model): the runbook `" + skill->name + "` fits best.\n");
    add_call(turn, id(0), "load_skill", {{"name", skill->name}});
    return turn;
  }
  const std::string name(model::string_at(calls[0].input, "name"));
  if (calls[0].is_error) return said("The runbook `" + name + "` could not be loaded: " + calls[0].result);

  const auto progress = progress_of(calls);
  const std::string tool = offers(request, "execute_command") ? "execute_command" : "local_command";
  if (progress.next.empty() || !offers(request, tool))
    return said(report(name, progress.steps, progress.runs, tool == "execute_command" ? where_ : "this machine"));
  if (calls.size() == 1 && !progress.checks.empty()) {
    auto turn = said("First: which of the programs it uses are there.\n");
    for (std::size_t i = 0; i < progress.checks.size(); ++i)
      add_call(turn, id(i + 1), tool, {{"command", progress.checks[i]}});
    return turn;
  }
  const auto& steps = progress.steps;
  const std::size_t together = (steps.size() + kTurnsForSteps - 1) / kTurnsForSteps;
  const std::size_t first = progress.next.front();
  auto turn = said("Step " + std::to_string(first + 1) + " of " + std::to_string(steps.size()) + ": " +
                   (steps[first].title.empty() ? "check" : steps[first].title) + ".\n");
  for (std::size_t i = 0; i < std::min(together, progress.next.size()); ++i)
    add_call(turn, id(calls.size() + i), tool, {{"command", steps[progress.next[i]].command}});
  return turn;
}

model::Turn OfflineClient::no_match(const model::Request& request) const {
  std::string text =
      "This is the offline runbook engine of jms, not a language model: it can only follow runbooks, and none fits "
      "this "
      "question well enough.";
  if (!offers(request, "load_skill")) return said(text + " There is no way to load one here either.");
  text += " Ask about one of these subjects, or name a runbook:\n";
  for (const auto& skill : index_.skills())
    if (!skill.front.hidden_from_model)
      text += "- `" + skill.name + "`: " + model::one_line(skill.front.description, 140) + "\n";
  return said(text +
              "\nFor free questions configure a model: set ANTHROPIC_API_KEY or OPENAI_API_KEY, see `jms doctor`.");
}

}  // namespace skills
