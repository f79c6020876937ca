// Whether a command is what a deny or ask rule names. Judged on the words that the shell will make, not on the text:
// what cannot be known of them counts as "may be".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "safety/command_class.h"

namespace safety {

enum class Match : unsigned char { No, Maybe, Yes };

/// `pattern` is a rule's words. Options of the command that the rule does not name do not keep it from matching, and
/// neither does a program in front that runs what its arguments say.
Match match_run(const std::vector<std::string>& pattern, const ProgramRun& run);

/// Programs that run what their arguments say.
bool runs_programs(std::string_view name);

/// The file name of a path.
std::string base_name(std::string_view path);

}  // namespace safety
