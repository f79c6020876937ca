#pragma once

#include <string>
#include <string_view>

namespace transport {

/// Why the system's ssh did not connect, as one sentence: from what it printed (and the ssh of a hop, and whatever
/// leads there), of which the last line is seldom the one that says it. Untrusted text, made harmless.
std::string why_ssh_failed(std::string_view printed, const std::string& label);

/// `text` without a name that is of no use to a reader, neither as "name@" nor alone.
std::string without_name(std::string text, const std::string& name);

}  // namespace transport
