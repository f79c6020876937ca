#pragma once

#include <string>
#include <vector>

#include "model/json.h"
#include "skills/runbook.h"

namespace skills {

/// A call that was made for a question, and its result.
struct DoneCall {
  std::string id;
  std::string tool;
  model::Json input;
  std::string result;
  bool is_error = false;
};

/// What became of one step.
struct StepRun {
  const DoneCall* call = nullptr;    ///< Nothing: it was not run.
  std::vector<std::string> lacking;  ///< Programs it needs that are not installed there.
};

/// The report of a runbook: what each step showed, which expectations held, what that means. `runs` has one entry for
/// each step. What a missing program would have shown is not known, and never a finding.
std::string report(const std::string& skill, const std::vector<Step>& steps, const std::vector<StepRun>& runs,
                   const std::string& where);

}  // namespace skills
