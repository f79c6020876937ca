#include <algorithm>
#include <cstdio>
#include <fstream>

#include "tests/support/core_server.h"

namespace test_server {
namespace {

using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

Json choice(const std::string& value) {
  return {{"value", value}, {"label", value}};
}

Json methods(const std::vector<std::string>& values) {
  Json list = Json::array();
  for (const auto& value : values)
    list.push_back({{"component", "koko"},
                    {"type", value.starts_with("web") ? "web" : "native"},
                    {"value", value},
                    {"label", value}});
  return list;
}

const Json& all_methods() {
  static const Json all = {{"ssh", methods({"web_cli", "ssh_client", "ssh_guide"})},
                           {"telnet", methods({"web_cli", "ssh_client", "ssh_guide"})},
                           {"sftp", methods({"web_sftp", "sftp_client"})},
                           {"mysql", methods({"web_cli", "db_guide"})}};
  return all;
}

}  // namespace

std::string CoreServer::fresh_id() {
  char text[64];
  std::snprintf(text, sizeof text, "%08x-1234-4abc-8def-%012x", 0x5b0c0000u + next_id_, next_id_);
  ++next_id_;
  return text;
}

CoreServer::Json CoreServer::asset_json(const CoreAsset& asset) const {
  Json on_nodes = Json::array();
  for (const auto& id : asset.node_ids) on_nodes.push_back({{"id", id}, {"name", "node"}});
  return {{"id", asset.id},
          {"name", asset.name},
          {"address", asset.address},
          {"zone", nullptr},
          {"platform", {{"id", 1}, {"name", asset.platform}}},
          {"comment", ""},
          {"org_id", site.org},
          {"org_name", "Default"},
          {"is_active", asset.active},
          {"connectivity", choice("ok")},
          {"nodes", on_nodes},
          {"labels", asset.labels},
          {"category", choice(asset.category)},
          {"type", choice(asset.type)}};
}

Reply CoreServer::asset_list(const Target& target) {
  auto query = target.query;
  Json found = Json::array();
  for (const auto& asset : assets) {
    if (query.contains("name") && asset.name != query["name"]) continue;
    if (query.contains("address") && asset.address != query["address"]) continue;
    if (query.contains("category") && asset.category != query["category"]) continue;
    const std::string& search = query["search"];
    if (!search.empty() && !contains(asset.name, search) && !contains(asset.address, search)) continue;
    found.push_back(asset_json(asset));
  }
  if (!query.contains("limit")) {
    violation("the assets were asked for without a limit");
    return json_reply(200, found);
  }
  const std::size_t limit = std::stoul(query["limit"]),
                    offset = query.contains("offset") ? std::stoul(query["offset"]) : 0;
  if (limit > 1000) violation("a page of more than 1000 assets was asked for");
  Json results = Json::array();
  for (std::size_t i = offset; i < std::min(offset + limit, found.size()); ++i) results.push_back(std::move(found[i]));
  // The next page names the inside of the house, as behind a proxy.
  const bool more = offset + limit < found.size();
  return json_reply(
      200,
      {{"count", found.size()},
       {"next", more ? Json("http://core:8080" + target.path + "?offset=" + std::to_string(offset + limit)) : Json()},
       {"previous", nullptr},
       {"results", std::move(results)}});
}

Reply CoreServer::asset_detail(const std::string& id) {
  const auto found = std::find_if(assets.begin(), assets.end(), [&](const CoreAsset& asset) { return asset.id == id; });
  if (found == assets.end())
    return json_reply(404, {{"detail", "No PermedAsset matches the given query."}, {"code", "object_does_not_exist"}});
  Json json = asset_json(*found);
  json["permed_protocols"] = Json::array();
  for (const auto& name : found->protocols)
    json["permed_protocols"].push_back({{"name", name}, {"port", 22}, {"public", true}});
  json["permed_accounts"] = Json::array();
  for (const auto& account : found->accounts)
    json["permed_accounts"].push_back(
        {{"id", account.id},
         {"alias", account.offered()},
         {"name", account.name},
         {"username", account.username},
         {"has_username", true},
         {"has_secret", account.has_secret},
         {"secret_type", "password"},
         {"actions",
          account.may_connect ? Json::array({choice("connect"), choice("upload")}) : Json::array({choice("upload")})}});
  return json_reply(200, json);
}

Reply CoreServer::node_list() const {
  Json list = Json::array();
  for (const auto& [id, path] : nodes)
    list.push_back({{"id", id},
                    {"name", path.substr(path.rfind('/') + 1)},
                    {"key", "1:2"},
                    {"full_value", path},
                    {"assets_amount", 1}});
  return json_reply(200, list);
}

// ---- Sessions

CoreServer::Json CoreServer::session_json(const KokoListed& session) {
  return {{"id", session.id},
          {"user", session.user},
          {"asset", session.asset},
          {"account", session.account},
          {"protocol", session.protocol},
          {"type", choice("normal")},
          {"login_from", choice("WT")},
          {"is_success", session.success},
          {"is_finished", session.finished},
          {"error_reason", session.success ? Json("") : choice("connect_failed")},
          {"date_end", session.finished ? Json("2026/01/06 08:35:00 +0000") : Json()},
          {"can_join", !session.finished},
          {"can_terminate", !session.finished}};
}

Reply CoreServer::sessions(const Target& target) const {
  Json found = Json::array();
  const auto wanted = target.query.find("is_finished");
  for (const auto& session : session_list ? session_list() : std::vector<KokoListed>()) {
    const bool asked = wanted != target.query.end() && !wanted->second.empty();
    const bool finished = asked && (wanted->second == "1" || wanted->second == "true" || wanted->second == "True");
    if (!asked || session.finished == finished) found.push_back(session_json(session));
  }
  if (!target.query.contains("limit")) return json_reply(200, found);
  return json_reply(200, {{"count", found.size()}, {"next", nullptr}, {"previous", nullptr}, {"results", found}});
}

Reply CoreServer::connect_methods() const {
  return json_reply(200, all_methods());
}

Reply CoreServer::endpoint(const HttpRequest& request) const {
  const auto host = request.headers.find("host");
  const std::string own = host == request.headers.end() ? "" : host->second.substr(0, host->second.find(':'));
  return json_reply(200, {{"host", site.endpoint_host.empty() ? own : site.endpoint_host},
                          {"https_port", site.https_port},
                          {"http_port", site.http_port},
                          {"ssh_port", site.ssh_port}});
}

// ---- Connection tokens

CoreServer::Json CoreServer::token_json(const Token& token) const {
  Json json = {{"id", token.id},
               {"value", token.value},
               {"user", {{"id", site.user_id}, {"name", site.name}}},
               {"asset", {{"id", token.asset}, {"name", "asset"}}},
               {"account", token.account},
               {"protocol", token.protocol},
               {"connect_method", token.method},
               {"is_active", token.active},
               {"is_reusable", false},
               {"from_ticket", nullptr},
               {"from_ticket_info", Json::object()},
               {"expire_time", site.token_life.count() - 1},
               {"is_expired", false}};
  if (token.ticket.empty()) return json;
  const std::string url = "/api/v1/tickets/tickets/" + token.ticket + "/";
  json["from_ticket"] = {{"id", token.ticket}};
  json["from_ticket_info"] = {{"check_ticket_api", {{"method", "GET"}, {"url", url}}},
                              {"close_ticket_api", {{"method", "PUT"}, {"url", url + "close/"}}},
                              {"assignees", Json::array({"Bob(bob)"})}};
  return json;
}

Reply CoreServer::create_token(const HttpRequest& request, const Target& target) {
  const Json body = body_of(request);
  if (!body.is_object()) return json_reply(400, {{"detail", "JSON parse error"}});
  Token token;
  token.asset = body.value("asset", "");
  token.account = body.value("account", "");
  token.protocol = body.value("protocol", "");
  token.method = body.value("connect_method", "");
  token.input_username = body.value("input_username", "");
  token.input_secret = body.value("input_secret", "");
  const auto asset =
      std::find_if(assets.begin(), assets.end(), [&](const CoreAsset& one) { return one.id == token.asset; });
  if (asset == assets.end()) return json_reply(400, {{"asset", {"Invalid pk - object does not exist."}}});
  const bool permitted = std::any_of(asset->accounts.begin(), asset->accounts.end(), [&](const CoreAccount& account) {
    return token.account == account.offered() && account.may_connect;
  });
  if (!permitted) {
    if (!site.accounts_changed) violation("an account that the asset does not offer: " + token.account);
    return json_reply(400, {{"code", "perm_account_invalid"}, {"detail", "Account not found"}});
  }
  const Json& legal = all_methods().value(token.protocol, Json::array());
  const bool known =
      std::any_of(legal.begin(), legal.end(), [&](const Json& method) { return method["value"] == token.method; });
  if (!known) {
    violation("connect method " + token.method + " is not legal for " + token.protocol);
    return json_reply(400, {{"detail", "Connect method error"}});
  }
  if (site.rejected.contains(asset->name))
    return json_reply(400, {{"code", "acl_reject"}, {"detail", "ACL action is reject: policy night"}});
  return issue(std::move(token), target);
}

Reply CoreServer::exchange_token(const HttpRequest& request, const Target& target) {
  const std::string old = body_of(request).value("id", "");
  const auto found = std::find_if(tokens_.begin(), tokens_.end(), [&](const Token& token) { return token.id == old; });
  if (found == tokens_.end()) return json_reply(404, {{"detail", "Not found."}, {"code", "object_does_not_exist"}});
  Token copy = *found;
  copy.ticket.clear();
  return issue(std::move(copy), target);
}

Reply CoreServer::issue(Token token, const Target& target) {
  token.id = fresh_id();
  token.value = "v" + token.id.substr(token.id.size() - 15);
  token.user = site.user;
  token.expires = std::chrono::steady_clock::now() + site.token_life;
  token.used = false;
  token.active = true;
  if (site.asset_review) {
    const auto wanted = target.query.find("create_ticket");
    if (wanted == target.query.end() || wanted->second != "1")
      return json_reply(400, {{"code", "acl_review"}, {"detail", "ACL action is review"}});
    token.active = false;
    token.ticket = fresh_id();
    ticket_polls_[token.ticket] = 0;
  }
  if (!token_directory_.empty() && token.active) std::ofstream(token_directory_ + "/" + token.id) << token.value;
  tokens_.push_back(token);
  return json_reply(201, token_json(token));
}

Reply CoreServer::ticket(const HttpRequest& request, const std::string& path) {
  const std::string id = path.substr(0, path.find('/'));
  if (!ticket_polls_.contains(id))
    return json_reply(404, {{"detail", "Not found."}, {"code", "object_does_not_exist"}});
  if (request.method == "PUT") {
    ticket_polls_.erase(id);
    return json_reply(200, Json::object());
  }
  if (++ticket_polls_[id] < site.polls_until_decision)
    return json_reply(200, {{"id", id}, {"status", choice("open")}, {"state", choice("pending")}});
  for (auto& token : tokens_) {
    if (token.ticket != id || !site.reviewer_says_yes) continue;
    token.active = true;
    if (!token_directory_.empty()) std::ofstream(token_directory_ + "/" + token.id) << token.value;
  }
  return json_reply(
      200,
      {{"id", id}, {"status", choice("closed")}, {"state", choice(site.reviewer_says_yes ? "approved" : "rejected")}});
}

std::optional<CoreServer::Token> CoreServer::redeem(const std::string& id, std::string& error) {
  for (auto& token : tokens_) {
    if (token.id != id) continue;
    if (token.used) violation("a connection token was used twice");
    if (token.used || std::chrono::steady_clock::now() >= token.expires)
      return error = "Connection token expired at: 2026/01/06 08:35:00", std::nullopt;
    if (!token.active) return error = "Connection token inactive", std::nullopt;
    token.used = true;
    return token;
  }
  return error = "ConnectionToken object does not exist.", std::nullopt;
}

}  // namespace test_server
