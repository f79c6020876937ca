#include "skills/offline_report.h"

#include <algorithm>

#include "agent/untrusted.h"
#include "base/words.h"

namespace skills {
namespace {

struct Tally {
  int held = 0, failed = 0, unknown = 0, not_run = 0;
  std::vector<std::string> meanings;
};

/// "`openssl` is not installed there", "`ss`, `netstat` are not installed there".
std::string missing_words(const std::vector<std::string>& tools) {
  if (tools.empty()) return {};
  std::vector<std::string> named;
  for (const auto& tool : tools) named.push_back("`" + tool + "`");
  return base::joined(named, ", ") + (tools.size() == 1 ? " is" : " are") + " not installed there";
}

void report_expectation(const Expectation& expectation, const Judgement& judgement, Tally& tally, std::string& out) {
  switch (judgement.verdict) {
    case Judgement::Verdict::held:
      ++tally.held;
      out += "   - held: " + expectation.text + "\n";
      return;
    case Judgement::Verdict::failed:
      ++tally.failed;
      out += "   - **did not hold**: " + expectation.text +
             (judgement.evidence.empty() ? "" : "; found: " + judgement.evidence) + "\n";
      tally.meanings.push_back(expectation.otherwise.empty() ? "not as expected: " + expectation.text
                                                             : expectation.otherwise);
      return;
    case Judgement::Verdict::unknown:
      ++tally.unknown;
      out += "   - cannot be judged: " + expectation.text + " (" + judgement.evidence + ")\n";
      return;
  }
}

void report_step(std::size_t index, const Step& step, const StepRun& run, Tally& tally, std::string& out) {
  out += std::to_string(index + 1) + ". " + (step.title.empty() ? "Check" : step.title) + "\n";
  const std::string missing = missing_words(run.lacking);
  if (!run.call || run.call->is_error) {
    ++tally.not_run;
    const auto why = run.call ? model::one_line(agent::inside_fence(run.call->result), 200) : missing;
    out += "   - not run" + (why.empty() ? "" : ": " + why) + "\n";
    return;
  }
  const auto command = agent::parse_command(agent::inside_fence(run.call->result));
  if (!command.note.empty()) out += "   - note: " + model::one_line(command.note, 160) + "\n";
  for (const auto& expectation : step.expectations)
    report_expectation(expectation,
                       missing.empty() ? judge(expectation, command) : Judgement{Judgement::Verdict::unknown, missing},
                       tally, out);
}

}  // namespace

std::string report(const std::string& skill, const std::vector<Step>& steps, const std::vector<StepRun>& runs,
                   const std::string& where) {
  Tally tally;
  std::string details;
  for (std::size_t i = 0; i < steps.size(); ++i) report_step(i, steps[i], runs[i], tally, details);

  std::string out = "I am the offline runbook engine of jms, not a language model. I followed the runbook `" + skill +
                    "` on " + where + ", step by step.\n\n";
  if (steps.empty())
    return out + "It has no steps that I can run (fenced `bash` blocks), so there is nothing to report.";
  if (tally.meanings.empty() && tally.not_run == 0 && tally.unknown == 0)
    out += "**All expectations held**; this runbook finds nothing wrong.\n";
  else if (tally.meanings.empty())
    out += "Nothing wrong was found in what could be judged, but not everything could.\n";
  else
    out += "**Findings**\n";
  for (const auto& meaning : tally.meanings) out += "- " + meaning + "\n";
  out += "\n" + std::to_string(tally.held) + " held, " + std::to_string(tally.failed) + " did not, " +
         std::to_string(tally.unknown) + " could not be judged, " + std::to_string(tally.not_run) +
         " steps were not run.\n\n";
  return out + details + "\nWhat follows from this is for you to decide: the end of the runbook (`jms skills show " +
         skill + "`) says what each finding points to.";
}

}  // namespace skills
