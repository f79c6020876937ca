#include "app/config.h"

#include <unistd.h>

#include <toml++/toml.h>
#include <cstdlib>
#include <functional>
#include <map>
#include <string_view>

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

base::Result<void> set_hotkey(Config& config, const toml::node& node) {
  const auto text = node.value_exact<std::string>();
  if (!text) return base::fail("wants a string in quotes, such as \"ctrl-]\"");
  auto hotkey = terminal::Hotkey::parse(*text);
  if (!hotkey) return base::fail(hotkey.error());
  config.hotkey = *hotkey;
  return {};
}

const std::map<std::string_view, Setter>& known_keys() {
  static const std::map<std::string_view, Setter> keys = {
      {"hint", set_value(&Config::hint, "true or false")},
      {"hotkey", set_hotkey},
      {"scrollback_lines", set_count(&Config::scrollback_lines, 1'000'000)},
      {"shell", set_value(&Config::shell, "a string in quotes")},
  };
  return keys;
}

std::string place(const std::string& path, const toml::source_region& source) {
  return path + ":" + std::to_string(source.begin.line);
}

}  // namespace

std::string default_config_path() {
  if (const char* own = std::getenv("JMS_CONFIG_DIR"); own && *own) return std::string(own) + "/config.toml";
  if (const char* xdg = std::getenv("XDG_CONFIG_HOME"); xdg && *xdg) return std::string(xdg) + "/jms/config.toml";
  const char* home = std::getenv("HOME");
  return std::string(home ? home : "") + "/.config/jms/config.toml";
}

base::Result<Config> load_config(const std::string& path) {
  toml::table table;
  try {
    table = toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    if (error.source().begin.line == 0) return base::fail("cannot read the config file " + path);
    return base::fail(place(path, error.source()) + ": " + std::string(error.description()));
  }
  Config config;
  for (const auto& [key, node] : table) {
    const auto known = known_keys().find(key.str());
    if (known == known_keys().end())
      return base::fail(place(path, key.source()) + ": unknown key `" + std::string(key.str()) +
                        "`; see jms(1) for the keys");
    if (const auto set = known->second(config, node); !set)
      return base::fail(place(path, node.source()) + ": `" + std::string(key.str()) + "`: " + set.error().message);
  }
  return config;
}

base::Result<Config> load_config_or_defaults(const std::string& named_path) {
  if (!named_path.empty()) return load_config(named_path);
  const std::string path = default_config_path();
  if (::access(path.c_str(), F_OK) != 0) return Config{};
  return load_config(path);
}

}  // namespace app
