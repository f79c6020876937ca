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

/// The report of a runbook: what each step showed, which expectations held, what that means.
std::string report(const std::string& skill, const std::vector<Step>& steps, const std::vector<DoneCall>& calls,
                   const std::string& where);

}  // namespace skills
