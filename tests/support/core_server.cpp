#include "tests/support/core_server.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>

namespace test_server {
namespace {

std::string percent_decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::map<std::string, std::string> fields_of(const std::string& text) {
  std::map<std::string, std::string> fields;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('&', at), text.size());
    const std::string pair = text.substr(at, end - at);
    const auto equals = pair.find('=');
    fields[percent_decoded(pair.substr(0, equals))] =
        equals == std::string::npos ? "" : percent_decoded(pair.substr(equals + 1));
    at = end + 1;
  }
  return fields;
}

std::string hmac_base64(const std::string& key, const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()),
       text.size(), digest.data(), &size);
  std::array<unsigned char, 128> out;
  const int length = EVP_EncodeBlock(out.data(), digest.data(), static_cast<int>(size));
  return std::string(reinterpret_cast<char*>(out.data()), static_cast<std::size_t>(length));
}

std::string quoted_field(const std::string& header, const std::string& name) {
  const auto at = header.find(name + "=\"");
  if (at == std::string::npos) return {};
  const auto begin = at + name.size() + 2;
  return header.substr(begin, header.find('"', begin) - begin);
}

Reply unauthenticated(const std::string& detail, const std::string& code) {
  return json_reply(401, {{"detail", detail}, {"code", code}});
}

bool changes(const std::string& method) {
  return method != "GET" && method != "HEAD";
}

}  // namespace

Reply json_reply(int status, const nlohmann::json& body,
                 const std::vector<std::pair<std::string, std::string>>& headers) {
  auto all = headers;
  all.emplace_back("content-type", "application/json");
  return reply(status, body.dump(), all);
}

CoreServer::CoreServer() = default;

CoreServer CoreServer::with_usual_assets() {
  CoreServer core;
  const std::string prefix = "aaaaaaaa-0000-4000-8000-00000000000";
  const CoreAccount root{"cccccccc-0000-4000-8000-000000000001", "root", "root"};
  const CoreAccount deploy{"cccccccc-0000-4000-8000-000000000002", "deploy account", "deploy"};
  core.nodes = {{"bbbbbbbb-0000-4000-8000-000000000001", "/Default/Web"},
                {"bbbbbbbb-0000-4000-8000-000000000002", "/Default/Prod"}};
  const std::string web = "bbbbbbbb-0000-4000-8000-000000000001", prod = "bbbbbbbb-0000-4000-8000-000000000002";
  const auto add = [&core, &prefix](const std::string& name, const std::string& address) -> CoreAsset& {
    core.assets.push_back({.id = prefix + std::to_string(core.assets.size() + 1), .name = name, .address = address});
    return core.assets.back();
  };
  for (const auto& [name, address] : std::vector<std::pair<std::string, std::string>>{{"web-01", "10.0.0.5"},
                                                                                      {"web-02", "10.0.0.6"},
                                                                                      {"twin", "10.0.0.7"},
                                                                                      {"twin", "10.0.0.8"},
                                                                                      {"sw-01", "10.0.1.1"},
                                                                                      {"db-01", "10.0.2.1"}})
    add(name, address).accounts = {root};
  core.assets[0].node_ids = {web};
  core.assets[1].node_ids = {web, prod};
  core.assets[1].labels = {"env:prod"};
  core.assets[1].accounts.push_back(deploy);
  core.assets[4].platform = "Huawei", core.assets[4].category = "device", core.assets[4].type = "switch";
  core.assets[5].platform = "MySQL", core.assets[5].category = "database", core.assets[5].type = "mysql";
  core.assets[5].protocols = {"mysql"};
  return core;
}

CoreServer::Target CoreServer::parse_target(const std::string& target) {
  const auto mark = target.find('?');
  return {target.substr(0, mark),
          mark == std::string::npos ? decltype(Target::query)() : fields_of(target.substr(mark + 1))};
}

CoreServer::Json CoreServer::body_of(const HttpRequest& request) {
  return Json::parse(request.body, nullptr, false);
}

std::map<std::string, std::string> CoreServer::form_of(const HttpRequest& request) {
  return fields_of(request.body);
}

std::map<std::string, std::string> CoreServer::cookies_of(const std::string& header) {
  std::map<std::string, std::string> cookies;
  for (std::size_t at = 0; at < header.size();) {
    const auto end = std::min(header.find(';', at), header.size());
    const std::string pair = header.substr(at, end - at);
    const auto begin = pair.find_first_not_of(' ');
    const auto equals = pair.find('=');
    if (begin != std::string::npos && equals != std::string::npos)
      cookies[pair.substr(begin, equals - begin)] = pair.substr(equals + 1);
    at = end + 1;
  }
  return cookies;
}

std::string CoreServer::session_cookie(const HttpRequest& request) const {
  const auto header = request.headers.find("cookie");
  if (header == request.headers.end()) return {};
  const auto cookies = cookies_of(header->second);
  const auto found = cookies.find(site.cookie_prefix + "sessionid");
  return found == cookies.end() ? std::string() : found->second;
}

std::optional<std::string> CoreServer::user_of_cookies(const std::string& cookie_header) const {
  const auto cookies = cookies_of(cookie_header);
  const auto id = cookies.find(site.cookie_prefix + "sessionid");
  if (id == cookies.end()) return std::nullopt;
  const auto session = sessions_.find(id->second);
  if (session == sessions_.end() || !session->second.signed_in) return std::nullopt;
  return site.user;
}

std::optional<std::string> CoreServer::user_of_headers(const HttpRequest& request) {
  HttpRequest own;
  own.method = "GET";
  own.target = "/api/v1/users/profile/";
  for (const char* name : {"authorization", "date", "x-jms-org"})
    if (const auto header = request.headers.find(name); header != request.headers.end()) own.headers.insert(*header);
  Reply refusal;
  return authenticate(own, refusal);
}

std::string CoreServer::open_web_session() {
  const std::string id = "web" + fresh_id();
  sessions_[id].signed_in = true;
  return id;
}

int CoreServer::count(const std::string& method, const std::string& path_begin) const {
  return static_cast<int>(std::count_if(requests_.begin(), requests_.end(), [&](const HttpRequest& request) {
    return request.method == method && request.target.starts_with(path_begin);
  }));
}

/// What no client should do, whatever comes of it.
void CoreServer::look_for_faults(const HttpRequest& request, const Target& target) {
  if (!target.path.ends_with("/")) violation("a path without its last slash: " + target.path);
  for (const auto& secret : {site.password, site.secret, site.private_token, site.otp})
    if (request.target.find(secret) != std::string::npos) violation("a secret stands in the address");
  if (request.headers.contains("origin")) violation("an Origin header of a program that is no browser");
}

Reply CoreServer::handle(const HttpRequest& request) {
  requests_.push_back(request);
  log.add(request.method, request.target, site.latency);
  Reply reply = answer(request);
  if (!reply.steps.empty()) reply.steps.front().pause += site.latency;
  return reply;
}

Reply CoreServer::answer(const HttpRequest& request) {
  const Target target = parse_target(request.target);
  look_for_faults(request, target);
  if (site.broken != 0) return reply(site.broken, site.broken_body, {{"content-type", "text/html"}});
  if (!site.redirect_all.empty()) return reply(302, "", {{"location", site.redirect_all}});
  const bool throttled = !site.throttle_paths.empty() && target.path.starts_with(site.throttle_paths);
  if (throttled && site.throttle_times-- > 0)
    return json_reply(429, {{"detail", "Request was throttled."}}, {{"retry-after", site.retry_after}});
  if (target.path.starts_with("/core/")) return page(request, target);
  if (target.path.starts_with("/api/v1/")) return api(request, target);
  violation("asked for what is not there: " + target.path);
  return reply(404, "<html><title>404 Not Found</title></html>", {{"content-type", "text/html"}});
}

Reply CoreServer::api(const HttpRequest& request, const Target& target) {
  const std::string path = target.path.substr(8);
  const bool get = request.method == "GET", post = request.method == "POST";
  if (post && (path == "authentication/tokens/" || path == "authentication/auth/")) return sign_in(request);
  if (post && path == "authentication/mfa/select/") return mfa_select(request);
  if (post && path == "authentication/mfa/challenge/") return mfa_challenge(request);
  if (path == "authentication/login-confirm-ticket/status/") return review_status(request);

  Reply refusal;
  const auto user = authenticate(request, refusal);
  if (!user) return refusal;
  if (site.no_rights.contains(path))
    return json_reply(
        403, {{"detail", "You do not have permission to perform this action."}, {"code", "permission_denied"}});
  const std::string kAssets = "perms/users/self/assets/", kTokens = "authentication/connection-token/";
  if (get && path == "users/profile/")
    return json_reply(
        200, {{"id", site.user_id}, {"name", site.name}, {"username", site.user}, {"lang", "en"}, {"mfa_level", 0}});
  if (get && (path == "terminal/sessions/" || path == "terminal/my-sessions/")) return sessions(target);
  if (get && path == kAssets) return asset_list(target);
  if (get && path.starts_with(kAssets))
    return asset_detail(path.substr(kAssets.size(), path.size() - kAssets.size() - 1));
  if (get && path == "perms/users/self/nodes/") return node_list();
  if (get && path == "terminal/components/connect-methods/") return connect_methods();
  if (get && path == "terminal/endpoints/smart/") return endpoint(request);
  if (get && path == "settings/public/") return json_reply(200, {{"SECURITY_MAX_IDLE_TIME", 30}});
  if (post && path == kTokens) return create_token(request, target);
  if (post && path == kTokens + "exchange/") return exchange_token(request, target);
  if (path.starts_with("tickets/tickets/")) return ticket(request, path.substr(16));
  violation("asked for what is not there: " + request.method + " " + target.path);
  return json_reply(404, {{"detail", "Not found."}, {"code", "object_does_not_exist"}});
}

std::optional<std::string> CoreServer::authenticate(const HttpRequest& request, Reply& refusal) {
  refusal = unauthenticated("Authentication credentials were not provided.", "not_authenticated");
  if (const auto header = request.headers.find("authorization"); header != request.headers.end()) {
    const std::string& text = header->second;
    if (text.starts_with("Bearer ")) return bearers_.contains(text.substr(7)) ? std::optional(site.user) : std::nullopt;
    if (text.starts_with("Token ")) {
      if (text.substr(6) == site.private_token) return site.user;
      refusal = unauthenticated("Invalid token.", "authentication_failed");
      return std::nullopt;
    }
    if (text.starts_with("Signature "))
      return signature_holds(request, text, refusal) ? std::optional(site.user) : std::nullopt;
    violation("an Authorization header of no known kind");
    return std::nullopt;
  }
  const auto cookies = request.headers.find("cookie");
  if (cookies == request.headers.end()) {
    violation("no credential at all: " + request.target);
    return std::nullopt;
  }
  const auto user = user_of_cookies(cookies->second);
  if (!user || !changes(request.method)) return user;
  // Both halves of the CSRF token; on https the Referer as well. A failure reads like no sign-in at all.
  const auto have = cookies_of(cookies->second);
  const auto cookie = have.find(site.cookie_prefix + "csrftoken");
  const auto header = request.headers.find("x-csrftoken");
  const bool holds = cookie != have.end() && header != request.headers.end() && cookie->second == header->second &&
                     csrf_.contains(header->second);
  const bool referred = !tls_ || request.headers.contains("referer");
  if (!holds) violation("a change by session without its CSRF token: " + request.target);
  if (!referred) violation("a change by session over https without a Referer: " + request.target);
  return holds && referred ? user : std::nullopt;
}

bool CoreServer::signature_holds(const HttpRequest& request, const std::string& header, Reply& refusal) {
  const std::string names = quoted_field(header, "headers");
  if (names.find("content-") != std::string::npos) {
    violation("content-type or content-length was signed");
    refusal = reply(500, "<html><title>Server Error (500)</title></html>");
    return false;
  }
  refusal = unauthenticated("Invalid signature.", "authentication_failed");
  if (names.find("(request-target)") == std::string::npos || names.find("date") == std::string::npos) {
    violation("(request-target) and date must be signed");
    return false;
  }
  std::string method = request.method, text;
  std::transform(method.begin(), method.end(), method.begin(), [](unsigned char c) { return std::tolower(c); });
  for (std::size_t at = 0; at < names.size();) {
    const auto end = std::min(names.find(' ', at), names.size());
    const std::string name = names.substr(at, end - at);
    const auto value = request.headers.find(name);
    text += (text.empty() ? "" : "\n") + name + ": ";
    text += name == "(request-target)"       ? method + " " + request.target
            : value == request.headers.end() ? ""
                                             : value->second;
    at = end + 1;
  }
  if (quoted_field(header, "keyId") != site.key_id) return false;
  if (quoted_field(header, "algorithm") == "hmac-sha256" &&
      quoted_field(header, "signature") == hmac_base64(site.secret, text))
    return true;
  return false;
}

}  // namespace test_server
