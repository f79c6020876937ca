#include "app/config/config.h"

#include <iconv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <toml++/toml.h>
#include <cstdlib>
#include <functional>
#include <map>
#include <string_view>

#include "app/config/config_tables.h"
#include "app/config/jumpserver_config.h"
#include "base/environment.h"

namespace app {
namespace {

/// Puts one key's value into the config, or says what it wants.
using Setter = std::function<base::Result<void>(Config&, const toml::node&)>;

template <typename Value>
Setter set_value(Value Config::*field, const char* wanted) {
  return [field, wanted](Config& config, const toml::node& node) -> base::Result<void> {
    const auto value = node.value_exact<Value>();
    if (!value) return base::fail(std::string("wants ") + wanted);
    config.*field = *value;
    return {};
  };
}

Setter set_count(std::size_t Config::*field, std::int64_t most) {
  return [field, most](Config& config, const toml::node& node) -> base::Result<void> {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < 0 || *value > most) return base::fail("wants a number from 0 to " + std::to_string(most));
    config.*field = static_cast<std::size_t>(*value);
    return {};
  };
}

Setter set_number(double Config::*field, double least) {
  return [field, least](Config& config, const toml::node& node) -> base::Result<void> {
    const auto value = node.value<double>();
    if (!value || *value < least)
      return base::fail("wants a number of at least " + std::to_string(static_cast<int>(least)));
    config.*field = *value;
    return {};
  };
}

Setter set_list(std::vector<std::string> Config::*field) {
  return [field](Config& config, const toml::node& node) -> base::Result<void> {
    const toml::array* list = node.as_array();
    if (!list) return base::fail("wants a list of strings, such as [\"a\", \"b\"]");
    (config.*field).clear();
    for (const auto& entry : *list) {
      const auto text = entry.value_exact<std::string>();
      if (!text) return base::fail("wants strings in its list");
      (config.*field).push_back(*text);
    }
    return {};
  };
}

base::Result<void> set_redact_exceptions(Config& config, const toml::node& node) {
  if (auto read = set_list(&Config::redact_exceptions)(config, node); !read) return read;
  if (auto fine = safety::Redactor::create({.exceptions = config.redact_exceptions}); !fine)
    return base::fail(fine.error());
  return {};
}

/// "HOST=GB18030"; an encoding that iconv does not know would make every output unreadable, so it is told here.
base::Result<void> set_encodings(Config& config, const toml::node& node) {
  if (auto list = set_list(&Config::exec_encodings)(config, node); !list) return list;
  for (const auto& entry : config.exec_encodings) {
    const auto cut = entry.rfind('=');
    if (cut == std::string::npos || cut == 0) return base::fail("wants entries such as \"old-*=GB18030\"");
    const iconv_t known = iconv_open("UTF-8", entry.c_str() + cut + 1);
    if (known == reinterpret_cast<iconv_t>(-1)) return base::fail("names an unknown encoding in \"" + entry + "\"");
    iconv_close(known);
  }
  return {};
}

base::Result<void> set_thinking(Config& config, const toml::node& node) {
  const std::string choice = node.value_exact<std::string>().value_or("");
  if (choice != "auto" && choice != "on" && choice != "off") return base::fail("wants \"auto\", \"on\" or \"off\"");
  config.model_thinking = choice;
  return {};
}

base::Result<void> set_language(Config& config, const toml::node& node) {
  const std::string choice = node.value_exact<std::string>().value_or("");
  if (choice != "en" && choice != "zh") return base::fail("wants \"en\" or \"zh\"");
  config.language = choice;
  return {};
}

base::Result<void> set_theme(Config& config, const toml::node& node) {
  const auto choice = panel::theme_named(node.value_exact<std::string>().value_or(""));
  if (!choice) return base::fail("wants \"auto\", \"dark\", \"light\", \"high-contrast\" or \"mono\"");
  config.theme = *choice;
  return {};
}

base::Result<void> set_hotkey(Config& config, const toml::node& node) {
  const auto text = node.value_exact<std::string>();
  if (!text) return base::fail("wants a string in quotes, such as \"ctrl-]\"");
  auto hotkey = terminal::Hotkey::parse(*text);
  if (!hotkey) return base::fail(hotkey.error());
  config.hotkey = *hotkey;
  return {};
}

base::Result<void> set_ssh_engine(Config& config, const toml::node& node) {
  static const std::map<std::string, transport::EngineChoice> choices = {{"auto", transport::EngineChoice::automatic},
                                                                         {"libssh2", transport::EngineChoice::libssh2},
                                                                         {"openssh", transport::EngineChoice::openssh}};
  const auto choice = choices.find(node.value_exact<std::string>().value_or(""));
  if (choice == choices.end()) return base::fail("wants \"auto\", \"libssh2\" or \"openssh\"");
  config.ssh_engine = choice->second;
  return {};
}

const std::map<std::string_view, Setter>& known_keys() {
  static const std::map<std::string_view, Setter> keys = {
      {"agent.context_bytes", set_count(&Config::agent_context_bytes, 200'000)},
      {"agent.context_lines", set_count(&Config::agent_context_lines, 5'000)},
      {"agent.local_command", set_value(&Config::agent_local_command, "true or false")},
      {"agent.max_cost_usd", set_number(&Config::agent_max_cost_usd, 0)},
      {"agent.max_rounds", set_count(&Config::agent_max_rounds, 100)},
      {"agent.max_tokens", set_count(&Config::agent_max_tokens, 1'000'000'000)},
      {"agent.time_limit_s", set_number(&Config::agent_time_limit_s, 0)},
      {"escapes.clipboard", set_value(&Config::escapes_clipboard, "true or false")},
      {"escapes.file_transfer", set_value(&Config::escapes_file_transfer, "true or false")},
      {"escapes.reports", set_value(&Config::escapes_reports, "true or false")},
      {"escapes.window_changes", set_value(&Config::escapes_window_changes, "true or false")},
      {"hooks", set_hooks},
      {"hosts", set_hosts},
      {"mode", set_mode},
      {"redact.exceptions", set_redact_exceptions},
      {"redact.patterns", set_redact_patterns},
      {"rules", set_rules},
      {"hint", set_value(&Config::hint, "true or false")},
      {"hotkey", set_hotkey},
      {"language", set_language},
      {"scrollback_lines", set_count(&Config::scrollback_lines, 1'000'000)},
      {"exec.encodings", set_encodings},
      {"exec.hooks", set_list(&Config::exec_hooks)},
      {"exec.output_mb", set_count(&Config::exec_output_mb, 100'000)},
      {"exec.quiet", set_list(&Config::exec_quiet)},
      {"exec.quit_key", set_list(&Config::exec_quit_key)},
      {"model.api_key_command", set_value(&Config::model_api_key_command, "a string in quotes")},
      {"model.api_key_file", set_value(&Config::model_api_key_file, "a string in quotes")},
      {"model.betas", set_list(&Config::model_betas)},
      {"model.connect_s", set_number(&Config::model_connect_s, 1)},
      {"model.context_window", set_count(&Config::model_context_window, 100'000'000)},
      {"model.headers", set_list(&Config::model_headers)},
      {"model.input_price", set_number(&Config::model_input_price, 0)},
      {"model.output_price", set_number(&Config::model_output_price, 0)},
      {"model.proxy", set_value(&Config::model_proxy, "a string in quotes")},
      {"model.retries", set_count(&Config::model_retries, 20)},
      {"model.stall_abort_s", set_number(&Config::model_stall_abort_s, 1)},
      {"model.stall_note_s", set_number(&Config::model_stall_note_s, 1)},
      {"model.thinking", set_thinking},
      {"model.total_s", set_number(&Config::model_total_s, 1)},
      {"model.base_url", set_value(&Config::model_base_url, "a string in quotes")},
      {"model.ca_file", set_value(&Config::model_ca_file, "a string in quotes")},
      {"model.effort", set_value(&Config::model_effort, "a string in quotes")},
      {"model.fallback", set_value(&Config::model_fallback, "a string in quotes")},
      {"model.max_tokens", set_count(&Config::model_max_tokens, 1'000'000)},
      {"model.name", set_value(&Config::model_name, "a string in quotes")},
      {"model.provider", set_value(&Config::model_provider, "a string in quotes")},
      {"ssh.credentials", set_ssh_credentials},
      {"ssh_engine", set_ssh_engine},
      {"shell", set_value(&Config::shell, "a string in quotes")},
      {"theme", set_theme},
  };
  return keys;
}

/// Takes every key of a table; `prefix` is "model." inside [model].
base::Result<void> read_table(Config& config, const toml::table& table, const std::string& prefix,
                              const std::string& path) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* servers = node.as_table(); servers && name == "jumpserver") {
      if (auto read = read_jumpserver(config.jumpserver, *servers, path); !read) return read;
      continue;
    }
    if (const toml::table* inner = node.as_table(); inner && prefix.empty()) {
      if (auto read = read_table(config, *inner, name + ".", path); !read) return read;
      continue;
    }
    const auto known = known_keys().find(name);
    if (known == known_keys().end())
      return base::fail(place(path, key.source()) + ": unknown key `" + name + "`; see jms-config(5) for the keys");
    if (const auto set = known->second(config, node); !set)
      return base::fail(place(path, node.source()) + ": `" + name + "`: " + set.error().message);
  }
  return {};
}

}  // namespace

std::vector<std::string> config_keys() {
  std::vector<std::string> names;
  for (const auto& [name, setter] : known_keys()) names.emplace_back(name);
  return names;
}

std::string default_config_path() {
  if (const auto own = base::environment("JMS_CONFIG_DIR"); !own.empty()) return own + "/config.toml";
  if (const auto xdg = base::environment("XDG_CONFIG_HOME"); !xdg.empty()) return xdg + "/jms/config.toml";
  return base::environment("HOME") + "/.config/jms/config.toml";
}

/// The config names commands that jms runs and rules that let the agent act: nobody else may write it.
static base::Result<void> check_hands(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {};  // The parser says what is wrong.
  if (info.st_uid != ::geteuid() && info.st_uid != 0)
    return base::fail(path + " belongs to someone else and is not used; `chown` it after looking at it");
  if (S_ISREG(info.st_mode) && (info.st_mode & 022) != 0)
    return base::fail(path + " can be written by others and is not used; look at it, then run `chmod go-w " + path +
                      "`");
  return {};
}

base::Result<Config> load_config(const std::string& path) {
  if (auto checked = check_hands(path); !checked) return base::fail(checked.error());
  toml::table table;
  try {
    table = toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    if (error.source().begin.line == 0) return base::fail("cannot read the config file " + path);
    return base::fail(place(path, error.source()) + ": " + std::string(error.description()));
  }
  Config config;
  if (auto read = read_table(config, table, "", path); !read) return base::fail(read.error());
  return config;
}

base::Result<Config> load_config_or_defaults(const std::string& named_path) {
  if (!named_path.empty()) return load_config(named_path);
  const std::string path = default_config_path();
  if (::access(path.c_str(), F_OK) != 0) return Config{};
  return load_config(path);
}

}  // namespace app
