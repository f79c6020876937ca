#include "app/config/exec_options.h"

#include <algorithm>

#include "safety/permission_rules.h"

namespace app {
namespace {

bool names(const std::vector<std::string>& patterns, const safety::Target& place) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return safety::matches_target(pattern, place); });
}

/// The first "PATTERN=ENCODING" that fits. The last `=` divides: a pattern may be "label:env=prod".
std::string encoding_of(const std::vector<std::string>& entries, const safety::Target& place) {
  for (const auto& entry : entries) {
    const auto cut = entry.rfind('=');
    if (safety::matches_target(entry.substr(0, cut), place)) return entry.substr(cut + 1);
  }
  return {};
}

}  // namespace

remote_exec::Options exec_options(const Config& config, const TargetFacts& facts, std::string outputs) {
  remote_exec::Options options;
  options.output.directory = std::move(outputs);
  options.output.file_cap = static_cast<std::uint64_t>(config.exec_output_mb) << 20;
  options.encoding = encoding_of(config.exec_encodings, facts.place);
  options.hooks = names(config.exec_hooks, facts.place);
  options.quit_key = names(config.exec_quit_key, facts.place);
  options.quiet_level = names(config.exec_quiet, facts.place);
  options.client = facts.client;
  return options;
}

}  // namespace app
