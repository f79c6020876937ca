#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

// Which programs a step of a runbook uses, and what becomes of it on a host that lacks one of them. A missing program
// is no finding about the host: a step that says `2>/dev/null`, or counts lines at the end of a pipe, would otherwise
// report "nothing wrong" or "wrong" without having looked.
namespace skills {

/// The programs `command` names, each once, in the order of the text. What a shell always has (echo, test, …) is not
/// among them; neither is a name that only the shell can compute.
std::vector<std::string> tools_of(std::string_view command);

/// What a step comes to when `absent` programs are not installed.
struct StepTools {
  std::vector<std::string> lacking;  ///< Without these it shows less than it should; another way (`||`) is taken.
  bool works = true;                 ///< Something of it still looks at the host.
};
StepTools tools_without(std::string_view command, const std::set<std::string>& absent);

/// Commands to type that show which of `tools` are there, in the words of every shell but csh.
std::vector<std::string> tool_checks(const std::vector<std::string>& tools);

/// The programs of `tools` that the output of a check does not show. None when it shows none at all: then it was the
/// check that failed.
std::set<std::string> absent_tools(const std::vector<std::string>& tools, std::string_view shown);

}  // namespace skills
