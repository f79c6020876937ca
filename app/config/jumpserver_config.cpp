#include "app/config/jumpserver_config.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

#include "app/config/config_tables.h"

namespace app {
namespace {

using Field = std::function<std::string&(JumpServerProfile&)>;

const std::map<std::string_view, Field>& fields() {
  static const std::map<std::string_view, Field> known = {
      {"server", [](auto& p) -> std::string& { return p.server; }},
      {"user", [](auto& p) -> std::string& { return p.user; }},
      {"org", [](auto& p) -> std::string& { return p.org; }},
      {"access_key", [](auto& p) -> std::string& { return p.access_key; }},
      {"secret_key_command", [](auto& p) -> std::string& { return p.secret_key.command; }},
      {"secret_key_file", [](auto& p) -> std::string& { return p.secret_key.file; }},
      {"token_command", [](auto& p) -> std::string& { return p.token.command; }},
      {"token_file", [](auto& p) -> std::string& { return p.token.file; }},
      {"cookie_command", [](auto& p) -> std::string& { return p.cookie.command; }},
      {"cookie_file", [](auto& p) -> std::string& { return p.cookie.file; }},
      {"password_command", [](auto& p) -> std::string& { return p.password.command; }},
      {"password_file", [](auto& p) -> std::string& { return p.password.file; }},
      {"otp_command", [](auto& p) -> std::string& { return p.otp.command; }},
      {"ca_file", [](auto& p) -> std::string& { return p.ca_file; }},
      {"via", [](auto& p) -> std::string& { return p.via; }},
  };
  return known;
}

base::Result<void> set_field(JumpServerProfile& profile, std::string_view key, const toml::node& node,
                             const std::string& where) {
  const std::string name = "jumpserver." + std::string(key);
  // These are secrets: what stands in a config file ends up in backups and repositories.
  if (key == "otp" || key == "otp_file")
    return base::fail(where + "`" + name +
                      "`: a one-time code is good for half a minute; use `jumpserver.otp_command`");
  if (key == "secret_key" || key == "token" || key == "cookie" || key == "password")
    return base::fail(where + "`" + name + "` does not belong into this file; use `" + name + "_command` or `" + name +
                      "_file`");
  const auto text = node.value_exact<std::string>();
  if (key == "name" && text && !text->empty()) {
    profile.name = *text;
    return {};
  }
  const auto known = fields().find(key);
  if (known == fields().end() && key != "name")
    return base::fail(where + "unknown key `" + name + "`; see jms-config(5) for the keys");
  if (!text) return base::fail(where + "`" + name + "`: wants a string in quotes");
  if (key == "via" && *text != "auto" && *text != "ws" && *text != "ssh")
    return base::fail(where + "`" + name + "`: wants \"auto\", \"ws\" or \"ssh\"");
  if (known != fields().end()) known->second(profile) = *text;
  return {};
}

base::Result<JumpServerProfile> read_profile(const toml::table& table, const std::string& path, bool is_default) {
  JumpServerProfile profile;
  if (!is_default) profile.name.clear();
  for (const auto& [key, node] : table) {
    if (is_default && key.str() == "profiles") continue;
    if (auto set = set_field(profile, key.str(), node, place(path, node.source()) + ": "); !set)
      return base::fail(set.error());
  }
  if (profile.name.empty())
    return base::fail(place(path, table.source()) + ": a profile wants a `name`, for `--profile NAME`");
  return profile;
}

}  // namespace

base::Result<void> read_jumpserver(std::vector<JumpServerProfile>& profiles, const toml::table& table,
                                   const std::string& path) {
  auto first = read_profile(table, path, true);
  if (!first) return base::fail(first.error());
  profiles = {std::move(*first)};
  const toml::node* list = table.get("profiles");
  if (!list) return {};
  const toml::array* entries = list->as_array();
  if (!entries || !entries->is_homogeneous(toml::node_type::table))
    return base::fail(place(path, list->source()) + ": write each profile as [[jumpserver.profiles]]");
  for (const auto& entry : *entries) {
    auto profile = read_profile(*entry.as_table(), path, false);
    if (!profile) return base::fail(profile.error());
    const bool twice = std::any_of(profiles.begin(), profiles.end(),
                                   [&](const JumpServerProfile& other) { return other.name == profile->name; });
    if (twice)
      return base::fail(place(path, entry.source()) + ": there are two JumpServer profiles called `" + profile->name +
                        "`");
    profiles.push_back(std::move(*profile));
  }
  return {};
}

}  // namespace app
