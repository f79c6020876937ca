#include "app/target/recent_targets.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "transport/websocket/websocket_url.h"

namespace app {
namespace {

using Json = nlohmann::json;

/// The next jms may be started in another directory.
std::string lasting_path(const std::string& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  return error || path.starts_with('~') || path == "none" ? path : absolute.string();
}

Json to_json(const TargetOptions& target) {
  Json json = {{"target", target.target}};
  if (target.target == "local") return json;
  if (!target.profile.empty()) json["profile"] = target.profile;
  if (!target.via.empty()) json["via"] = target.via;
  if (!target.protocol.empty()) json["protocol"] = target.protocol;
  if (!target.jump.empty()) json["jump"] = target.jump;
  if (!target.user.empty()) json["user"] = target.user;
  if (target.port != 0) json["port"] = target.port;
  if (!target.ssh_config.empty()) json["ssh_config"] = lasting_path(target.ssh_config);
  for (const auto& identity : target.identities) json["identities"].push_back(lasting_path(identity));
  return json;
}

/// Empty when the line is none of ours.
TargetOptions from_json(const std::string& line) {
  TargetOptions target;
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return target;
  const auto text = [&json](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  // Earlier versions kept the password of a `ws://` target too.
  target.target = transport::without_password(text("target"));
  target.profile = text("profile");
  target.via = text("via");
  target.protocol = text("protocol");
  target.jump = text("jump");
  target.user = text("user");
  target.ssh_config = text("ssh_config");
  if (const auto port = json.find("port"); port != json.end() && port->is_number_integer()) target.port = *port;
  if (const auto keys = json.find("identities"); keys != json.end() && keys->is_array())
    for (const auto& key : *keys)
      if (key.is_string()) target.identities.push_back(key);
  return target;
}

}  // namespace

RecentTargets::RecentTargets(const std::string& state_directory)
    : file_(state_directory + "/targets", {.lines = 300, .bytes = 128 * 1024}) {}

std::vector<TargetOptions> RecentTargets::load() const {
  std::vector<TargetOptions> targets;
  const auto lines = file_.load();
  if (!lines) return targets;
  std::vector<Json> seen;
  for (auto line = lines->rbegin(); line != lines->rend() && targets.size() < kMost; ++line) {
    TargetOptions target = from_json(*line);
    const Json same = to_json(target);
    if (target.target.empty() || std::find(seen.begin(), seen.end(), same) != seen.end()) continue;
    seen.push_back(same);
    targets.push_back(std::move(target));
  }
  return targets;
}

base::Result<void> RecentTargets::add(const TargetOptions& target) const {
  return file_.append(to_json(target).dump(-1, ' ', false, Json::error_handler_t::replace));
}

Connection::Factory noting_success(Connection::Factory factory, RecentTargets recent, TargetOptions target) {
  return [factory = std::move(factory), recent = std::move(recent), target = std::move(target)](
             base::Size size, transport::SshPrompter& prompter, Connection::Hooks hooks) {
    // A list that cannot be written must not stand between the operator and the host.
    hooks.on_ready = [recent, target, ready = std::move(hooks.on_ready)] {
      (void)recent.add(target);
      ready();
    };
    return factory(size, prompter, std::move(hooks));
  };
}

}  // namespace app
