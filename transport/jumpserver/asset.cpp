#include "transport/jumpserver/asset.h"

#include <algorithm>

namespace transport::jumpserver {
namespace {

std::vector<std::string> strings_of(const Json& list) {
  std::vector<std::string> found;
  if (!list.is_array()) return found;
  for (const auto& entry : list)
    if (entry.is_string()) found.push_back(entry.get<std::string>());
  return found;
}

/// "env:prod", "env=prod" or an object with name and value, all as "env=prod".
std::string label_from(const Json& json) {
  std::string text;
  if (json.is_string()) text = json.get<std::string>();
  if (json.is_object()) {
    text = text_at(json, "name");
    if (const std::string value = text_at(json, "value"); !value.empty()) text += "=" + value;
  }
  if (text.find('=') == std::string::npos)
    if (const auto colon = text.find(':'); colon != std::string::npos) text[colon] = '=';
  return text;
}

bool may_connect(const Json& actions) {
  if (!actions.is_array()) return true;
  return std::any_of(actions.begin(), actions.end(), [](const Json& action) {
    return action.is_string() ? action == "connect" || action == "all" : text_at(action, "value") == "connect";
  });
}

Account account_from(const Json& json) {
  Account account;
  account.alias = text_at(json, "alias");
  account.id = text_at(json, "id");
  account.name = text_at(json, "name");
  account.username = text_at(json, "username");
  account.has_secret = flag_at(json, "has_secret", true);
  account.may_connect = may_connect(at(json, "actions"));
  return account;
}

}  // namespace

AssetKind Asset::kind() const {
  if (category == "host") return type == "windows" ? AssetKind::other : AssetKind::host;
  if (category == "device") return AssetKind::device;
  if (category == "database") return AssetKind::database;
  return category.empty() ? AssetKind::host : AssetKind::other;
}

std::string Account::label() const {
  if (manual()) return "@INPUT (you type the name and password)";
  if (same_name()) return "@USER (your own name)";
  return name == username || username.empty() ? name : name + " (" + username + ")";
}

Asset asset_from(const Json& json) {
  Asset asset;
  asset.id = text_at(json, "id");
  asset.name = text_at(json, "name");
  asset.address = text_at(json, "address");
  const Json& platform = at(json, "platform");
  asset.platform = platform.is_object() ? text_at(platform, "name") : text_at(json, "platform");
  asset.category = choice_at(json, "category");
  asset.type = choice_at(json, "type");
  asset.org_id = text_at(json, "org_id");
  asset.org_name = text_at(json, "org_name");
  asset.comment = text_at(json, "comment");
  asset.active = flag_at(json, "is_active", true);
  asset.nodes = strings_of(at(json, "node_paths"));
  if (const Json& nodes = at(json, "nodes"); nodes.is_array())
    for (const auto& node : nodes)
      if (std::string id = node.is_string() ? node.get<std::string>() : text_at(node, "id"); !id.empty())
        asset.node_ids.push_back(std::move(id));
  if (const Json& labels = at(json, "labels"); labels.is_array())
    for (const auto& label : labels)
      if (std::string text = label_from(label); !text.empty()) asset.labels.push_back(std::move(text));
  return asset;
}

AssetDetail detail_from(const Json& json) {
  AssetDetail detail;
  detail.asset = asset_from(json);
  if (const Json& protocols = at(json, "permed_protocols"); protocols.is_array())
    for (const auto& protocol : protocols)
      if (std::string name = text_at(protocol, "name"); !name.empty()) detail.protocols.push_back(std::move(name));
  if (const Json& accounts = at(json, "permed_accounts"); accounts.is_array())
    for (const auto& account : accounts) detail.accounts.push_back(account_from(account));
  return detail;
}

Json to_json(const Asset& asset) {
  return {{"id", asset.id},
          {"name", asset.name},
          {"address", asset.address},
          {"platform", asset.platform},
          {"category", asset.category},
          {"type", asset.type},
          {"org_id", asset.org_id},
          {"org_name", asset.org_name},
          {"comment", asset.comment},
          {"is_active", asset.active},
          {"node_paths", asset.nodes},
          {"nodes", asset.node_ids},
          {"labels", asset.labels}};
}

Json to_json(const AssetDetail& detail) {
  Json json = to_json(detail.asset);
  Json& protocols = json["permed_protocols"] = Json::array();
  for (const auto& name : detail.protocols) protocols.push_back({{"name", name}});
  Json& accounts = json["permed_accounts"] = Json::array();
  for (const auto& account : detail.accounts)
    accounts.push_back({{"alias", account.alias},
                        {"id", account.id},
                        {"name", account.name},
                        {"username", account.username},
                        {"has_secret", account.has_secret},
                        {"actions", account.may_connect ? Json::array({"connect"}) : Json::array()}});
  return json;
}

}  // namespace transport::jumpserver
