// koko's door: who may open a terminal, and what others do to the newest one.
#include "tests/support/koko_server.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/koko_session.h"

namespace test_server {
namespace {

std::string header(const HttpRequest& request, const char* name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? std::string() : found->second;
}

std::string query_value(const std::string& target, const std::string& name) {
  const auto question = target.find('?');
  if (question == std::string::npos) return {};
  std::string rest = "&" + target.substr(question + 1);
  const auto at = rest.find("&" + name + "=");
  if (at == std::string::npos) return {};
  const auto from = at + name.size() + 2;
  return rest.substr(from, rest.find('&', from) - from);
}

/// The cookie django_language wins over the first code of Accept-Language.
std::string language_of(const HttpRequest& request) {
  const std::string cookies = header(request, "cookie");
  if (const auto at = cookies.find("django_language="); at != std::string::npos) {
    const auto from = at + 16;
    return cookies.substr(from, cookies.find_first_of("; ", from) - from);
  }
  const std::string accepted = header(request, "accept-language");
  return accepted.substr(0, accepted.find_first_of(",;-"));
}

}  // namespace

KokoServer::KokoServer(event::EventLoop& loop, KokoOptions options) : loop_(loop), options_(std::move(options)) {
  redeem = [this](const std::string& id) -> std::optional<KokoToken> {
    const auto found = tokens.find(id);
    if (found == tokens.end()) return std::nullopt;
    const KokoToken token = found->second;
    found->second.used = true;
    return token;
  };
}

KokoServer::~KokoServer() = default;

Reply KokoServer::give_ticket(const HttpRequest& request, std::optional<std::string> owner) {
  ++ticket_requests;
  if (options_.version != KokoVersion::v5 || request.method != "POST") return reply(404, "404 page not found");
  if (!owner && owner_of_headers) owner = owner_of_headers(request);
  if (!owner) return reply(401, R"({"detail":"authentication failed"})");
  const auto body = nlohmann::json::parse(request.body, nullptr, false);
  if (!body.is_object()) return reply(400, R"({"detail":"invalid body"})");
  const std::string ticket = "ticket-" + std::to_string(tickets_.size() + 1);
  tickets_[ticket] = {*owner, body.value("token_id", "")};
  return reply(201, nlohmann::json({{"ticket", ticket}, {"expires_in", 1800}}).dump());
}

/// A ticket that names a token opens no other.
std::optional<std::string> KokoServer::owner_of_ticket(const HttpRequest& request) {
  const auto found = tickets_.find(header(request, "x-koko-connect-ticket"));
  if (found == tickets_.end()) return std::nullopt;
  const auto& [owner, token] = found->second;
  if (!token.empty() && token != query_value(request.target, "token")) return std::nullopt;
  ++ticket_openings;
  return owner;
}

Reply KokoServer::handle(const HttpRequest& request, const std::optional<std::string>& by_cookie) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (path == "/koko/api/connect-ticket/") return give_ticket(request, by_cookie);
  if (options_.refuse_upgrade != 0 && path == "/koko/ws/terminal/")
    return reply(options_.refuse_upgrade, "<html><title>no upgrade here</title></html>",
                 {{"content-type", "text/html"}});
  const auto owner = by_cookie ? by_cookie : owner_of_ticket(request);
  if (path == "/koko/ws/terminal") return reply(301, "", {{"Location", "/koko/ws/terminal/"}});
  if (path != "/koko/ws/terminal/") return reply(404, "404 page not found");
  if (!owner && options_.version == KokoVersion::v5 && !header(request, "authorization").empty())
    return reply(401, R"({"detail":"authentication failed"})");
  if (!owner) return reply(302, "", {{"Location", "/core/auth/login/?next=%2Fkoko%2Fws%2Fterminal%2F"}});
  if (!header(request, "origin").empty()) violations.push_back("an Origin header");
  const bool offered = header(request, "sec-websocket-protocol") == "JMS-KOKO";
  return upgrade(request, offered ? "JMS-KOKO" : "", [this, request, owner](std::shared_ptr<ServerSocket> socket) {
    KokoOptions options = options_;
    if (before_session) before_session(request, options);
    const std::string id = query_value(request.target, "token");
    auto session =
        std::make_shared<KokoSession>(loop_, *this, std::move(options), language_of(request), std::move(socket));
    session->on_end = [this, gone = session.get()] { forget(gone); };
    ++sessions_opened_;
    open_.push_back(session);
    session->start(redeem(id), id, *owner);
  });
}

void KokoServer::forget(const KokoSession* session) {
  const auto found = std::find_if(open_.begin(), open_.end(), [&](const auto& one) { return one.get() == session; });
  if (found == open_.end()) return;
  // It is in the middle of a callback.
  loop_.defer([gone = std::move(*found)] {});
  open_.erase(found);
}

int KokoServer::open_sessions() const {
  return static_cast<int>(open_.size());
}
const std::vector<KokoListed>& KokoServer::session_list() {
  for (auto& entry : listed)
    if (entry.lost && std::chrono::steady_clock::now() - *entry.lost >= options_.notices) entry.finished = true;
  return listed;
}
std::vector<std::string> KokoServer::running() {
  std::vector<std::string> ids;
  for (const auto& entry : session_list())
    if (!entry.finished) ids.push_back(entry.id);
  return ids;
}
void KokoServer::notice_ghosts() {
  for (auto& entry : listed) entry.finished = entry.finished || entry.lost;
}
bool KokoServer::reviewing() const {
  return !open_.empty() && open_.back()->reviewing();
}
std::string KokoServer::size_seen() const {
  if (open_.empty()) return "";
  return std::to_string(open_.back()->size().rows) + " " + std::to_string(open_.back()->size().cols);
}
void KokoServer::lock(const std::string& admin) {
  open_.back()->lock(admin);
}
void KokoServer::unlock(const std::string& admin) {
  open_.back()->unlock(admin);
}
void KokoServer::terminate(const std::string& admin) {
  open_.back()->terminate(admin);
}
void KokoServer::expire_permission() {
  send_message("TERMINAL_PERM_EXPIRED", R"({"code":"perm_expired","detail":"Account not found"})");
}
void KokoServer::end_permission() {
  open_.back()->end_permission();
}
void KokoServer::renew_permission() {
  send_message("TERMINAL_PERM_VALID", R"({"code":"perm_valid","detail":"OK"})");
}
void KokoServer::approve(const std::string& reviewer) {
  open_.back()->decide(true, reviewer);
}
void KokoServer::refuse(const std::string& reviewer) {
  open_.back()->decide(false, reviewer);
}
void KokoServer::send_message(const std::string& type, const std::string& data) {
  open_.back()->message(type, data);
}
void KokoServer::send_output(const std::string& bytes) {
  open_.back()->output(bytes);
}
void KokoServer::drop() {
  socket().drop();
}
ServerSocket& KokoServer::socket() {
  return open_.back()->socket();
}
void KokoServer::close_socket(int code, const std::string& reason) {
  open_.back()->socket().close(code, reason);
}

}  // namespace test_server
