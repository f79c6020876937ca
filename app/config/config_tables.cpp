#include "app/config/config_tables.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string_view>

namespace app {
namespace {

/// One table of a list. Every key in it is known, or the table is refused.
class Entry {
 public:
  Entry(const toml::table& table, std::initializer_list<std::string_view> known) : table_(table) {
    for (const auto& [key, node] : table)
      if (std::find(known.begin(), known.end(), key.str()) == known.end())
        complain("unknown key `" + std::string(key.str()) + "`");
  }

  std::string text(std::string_view key, std::string otherwise) {
    const toml::node* node = table_.get(key);
    if (!node) return otherwise;
    const auto value = node->value_exact<std::string>();
    if (!value) complain("`" + std::string(key) + "` wants a string in quotes");
    return value.value_or(otherwise);
  }
  std::string needed(std::string_view key) {
    if (!table_.contains(key)) complain("`" + std::string(key) + "` is missing");
    const std::string value = text(key, "");
    if (table_.contains(key) && value.empty()) complain("`" + std::string(key) + "` is empty");
    return value;
  }
  bool flag(std::string_view key) {
    const toml::node* node = table_.get(key);
    if (!node) return false;
    const auto value = node->value_exact<bool>();
    if (!value) complain("`" + std::string(key) + "` wants true or false");
    return value.value_or(false);
  }
  void complain(const std::string& what) {
    if (trouble_.empty()) trouble_ = "line " + std::to_string(table_.source().begin.line) + ": " + what;
  }
  base::Result<void> outcome() const {
    return trouble_.empty() ? base::Result<void>() : base::Result<void>(base::fail(trouble_));
  }

 private:
  const toml::table& table_;
  std::string trouble_;  ///< The first one.
};

using Read = std::function<base::Result<void>(const toml::table&)>;

base::Result<void> for_each_table(const toml::node& node, const char* example, const Read& read) {
  const toml::array* list = node.as_array();
  if (!list) return base::fail(std::string("wants tables, each beginning with ") + example);
  for (const auto& entry : *list) {
    const toml::table* table = entry.as_table();
    if (!table) return base::fail(std::string("wants tables, each beginning with ") + example);
    if (auto done = read(*table); !done) return done;
  }
  return {};
}

base::Result<agent::HookEvent> event_named(const std::string& name) {
  for (const auto event : {agent::HookEvent::pre_tool, agent::HookEvent::post_tool, agent::HookEvent::post_answer})
    if (agent::name_of(event) == name) return event;
  return base::fail("`event` wants \"pre_tool\", \"post_tool\" or \"post_answer\"");
}

}  // namespace

std::string place(const std::string& path, const toml::source_region& source) {
  return path + ":" + std::to_string(source.begin.line);
}

base::Result<void> set_rules(Config& config, const toml::node& node) {
  safety::PermissionRules trial;  // Knows which rules may be kept.
  return for_each_table(node, "[[rules]]", [&](const toml::table& table) -> base::Result<void> {
    Entry entry(table, {"action", "command", "tool", "host"});
    safety::Rule rule;
    const auto action = safety::rule_action_named(entry.needed("action"));
    if (!action) entry.complain(action.error().message);
    rule.action = action.value_or(safety::RuleAction::Deny);
    rule.pattern = entry.needed("command");
    rule.tool = entry.text("tool", rule.tool);
    rule.host = entry.text("host", rule.host);
    if (rule.tool != "execute_command" && rule.tool != "local_command")
      entry.complain("`tool` wants \"execute_command\" or \"local_command\"");
    if (auto fine = entry.outcome(); !fine) return fine;
    if (auto kept = trial.add(rule); !kept) {
      entry.complain(kept.error().message);
      return entry.outcome();
    }
    config.rules.push_back(std::move(rule));
    return {};
  });
}

base::Result<void> set_hosts(Config& config, const toml::node& node) {
  return for_each_table(node, "[[hosts]]", [&](const toml::table& table) {
    Entry entry(table, {"match", "mode", "production"});
    safety::HostMode host;
    host.match = entry.needed("match");
    host.production = entry.flag("production");
    if (table.contains("mode")) {
      const auto mode = safety::mode_named(entry.text("mode", ""));
      if (!mode) entry.complain(mode.error().message);
      host.mode = mode.value_or(safety::Mode::ReadOnly);
    }
    config.hosts.push_back(std::move(host));
    return entry.outcome();
  });
}

base::Result<void> set_hooks(Config& config, const toml::node& node) {
  return for_each_table(node, "[[hooks]]", [&](const toml::table& table) {
    Entry entry(table, {"event", "tool", "command"});
    agent::Hook hook;
    const auto event = event_named(entry.needed("event"));
    if (!event) entry.complain(event.error().message);
    hook.event = event.value_or(agent::HookEvent::pre_tool);
    hook.tool = entry.text("tool", "");
    hook.command = entry.needed("command");
    config.hooks.push_back(std::move(hook));
    return entry.outcome();
  });
}

base::Result<void> set_redact_patterns(Config& config, const toml::node& node) {
  return for_each_table(node, "[[redact.patterns]]", [&](const toml::table& table) {
    Entry entry(table, {"kind", "regex"});
    config.redact_patterns.push_back({entry.needed("kind"), entry.needed("regex")});
    if (auto fine = safety::Redactor::create({.patterns = {config.redact_patterns.back()}}); !fine)
      entry.complain(fine.error().message);
    return entry.outcome();
  });
}

base::Result<void> set_ssh_credentials(Config& config, const toml::node& node) {
  return for_each_table(node, "[[ssh.credentials]]", [&](const toml::table& table) {
    // These are secrets: what stands in a config file ends up in backups and repositories.
    for (const char* secret : {"password", "passphrase", "code"})
      if (table.contains(secret))
        return base::Result<void>(base::fail("line " + std::to_string(table.source().begin.line) + ": `" + secret +
                                             "` does not belong into this file; use `" + secret + "_command`"));
    Entry entry(table, {"host", "user", "password_command", "password_file", "passphrase_command", "passphrase_file",
                        "code_command"});
    SshCredentials one;
    one.host = entry.needed("host");
    one.user = entry.text("user", "");
    one.password = {entry.text("password_command", ""), entry.text("password_file", "")};
    one.passphrase = {entry.text("passphrase_command", ""), entry.text("passphrase_file", "")};
    one.code_command = entry.text("code_command", "");
    if (one.password.empty() && one.passphrase.empty() && one.code_command.empty())
      entry.complain("it names nothing that answers; give `password_command`, `passphrase_command` or `code_command`");
    config.ssh_credentials.push_back(std::move(one));
    return entry.outcome();
  });
}

base::Result<void> set_mode(Config& config, const toml::node& node) {
  const auto mode = safety::mode_named(node.value_exact<std::string>().value_or(""));
  if (!mode) return base::fail("wants \"read-only\", \"ask\" or \"auto\"");
  config.mode = *mode;
  return {};
}

}  // namespace app
