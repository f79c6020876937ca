#include "app/assistant/assistant_settings.h"

#include <utility>

#include "app/assistant/rules_file.h"
#include "transport/ssh/destination.h"
#include "transport/ssh/ssh_config.h"

namespace app {
namespace {

/// The host of "scheme://user@host:port/path", as far as it can be told apart.
std::string host_in_url(std::string_view url) {
  url.remove_prefix(std::min(url.size(), url.find("://") + 3));
  url = url.substr(0, url.find_first_of("/?#"));
  if (const auto at = url.rfind('@'); at != std::string_view::npos) url.remove_prefix(at + 1);
  return std::string(url.substr(0, url.find(':')));
}

std::optional<transport::HostSettings> ssh_settings(const TargetOptions& options) {
  const auto destination = transport::parse_destination(options.target);
  if (!destination) return std::nullopt;
  transport::ConfigOptions config;
  config.config_file = options.ssh_config;
  config.user = options.user;
  config.port = options.port;
  config.options = options.ssh_options;
  auto settings = transport::resolve(*destination, config);
  if (!settings) return std::nullopt;  // Connecting will say what is wrong with it.
  return std::move(*settings);
}

bool is_ssh(const std::string& target) {
  return target != "local" && (target.find("://") == std::string::npos || target.starts_with("ssh://"));
}

}  // namespace

safety::Target rule_target(const TargetOptions& options) {
  safety::Target target;
  target.name = options.target;
  if (!is_ssh(options.target)) {
    if (options.target != "local") target.also.push_back(host_in_url(options.target));
    return target;
  }
  if (const auto destination = transport::parse_destination(options.target)) target.also.push_back(destination->host);
  // An alias must not hide a production host from the rule that names it.
  if (const auto settings = ssh_settings(options); settings && !settings->host_name.empty())
    target.also.push_back(settings->host_name);
  return target;
}

base::Result<std::optional<safety::Mode>> mode_option(const std::string& text) {
  if (text.empty()) return std::optional<safety::Mode>();
  const auto mode = safety::mode_named(text);
  if (!mode) return base::fail(mode.error());
  return std::optional<safety::Mode>(*mode);
}

base::Result<AssistantSettings> assistant_settings(const Config& config, const TargetOptions& target,
                                                   std::optional<safety::Mode> mode, const safety::Target& place) {
  AssistantSettings settings;
  settings.where = rule_target(target);
  settings.where.nodes = place.nodes;
  settings.where.labels = place.labels;
  if (!place.name.empty()) settings.where.also.push_back(place.name);
  // An asset's address: a rule that names the machine holds however the operator got there.
  for (const auto& name : place.also)
    if (!name.empty()) settings.where.also.push_back(name);
  if (is_ssh(target.target))
    if (const auto ssh = ssh_settings(target)) settings.user = ssh->user;
  settings.rules_path = default_rules_path();
  const auto saved = load_rules(settings.rules_path);
  if (!saved) return base::fail(saved.error());
  for (const auto* rules : {&config.rules, &*saved})
    for (const auto& rule : *rules)
      if (auto added = settings.permissions.add(rule); !added) return base::fail(added.error());
  for (const auto& host : config.hosts) settings.permissions.add_host_mode(host);
  if (!mode) mode = settings.permissions.host_mode(settings.where);
  settings.permissions.set_mode(mode.value_or(config.mode));

  settings.hooks = config.hooks;
  settings.redaction = {config.redact_patterns, config.redact_exceptions};
  settings.max_rounds = static_cast<int>(config.agent_max_rounds);
  settings.time_limit = std::chrono::milliseconds(static_cast<long long>(config.agent_time_limit_s * 1000));
  settings.max_cost_usd = config.agent_max_cost_usd;
  settings.max_total_tokens = static_cast<long>(config.agent_max_tokens);
  settings.context.terminal_lines = config.agent_context_lines;
  settings.context.terminal_bytes = config.agent_context_bytes;
  settings.always_local_command = config.agent_local_command;
  return settings;
}

}  // namespace app
