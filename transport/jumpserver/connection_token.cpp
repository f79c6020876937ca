#include "transport/jumpserver/connection_token.h"

#include <chrono>

#include "base/one_line.h"
#include "base/words.h"
#include "event/deadline.h"
#include "transport/jumpserver/sign_in.h"

namespace transport::jumpserver {
namespace {

using Kind = CoreError::Kind;

constexpr const char* kTokens = "/api/v1/authentication/connection-token/";
constexpr std::chrono::seconds kFirstTokenPoll{1}, kTokenPoll{3};
// A token lives 300 seconds, and approval does not extend that.
constexpr std::chrono::seconds kLongestTokenReview{300};

ConnectionToken token_from(const Json& json) {
  ConnectionToken token;
  token.id = text_at(json, "id");
  token.value = text_at(json, "value");
  token.protocol = text_at(json, "protocol");
  token.active = flag_at(json, "is_active", true);
  const Json& ticket = at(json, "from_ticket_info");
  token.ticket_path = text_at(at(ticket, "check_ticket_api"), "url");
  token.close_path = text_at(at(ticket, "close_ticket_api"), "url");
  if (const Json& assignees = at(ticket, "assignees"); assignees.is_array())
    for (const auto& name : assignees)
      if (name.is_string()) token.reviewers.push_back(base::one_line(name.get<std::string>(), 60));
  return token;
}

/// What core's code for a refused token means to the operator.
CoreError explained(CoreError error, const std::string& asset) {
  const std::string said = error.message;
  if (error.code == "acl_reject")
    error.message = "a login rule of JumpServer forbids opening " + asset + " (" + said + ")";
  else if (error.code == "perm_expired")
    error.message = "your permission for " + asset + " has expired (" + said + "); ask the administrator";
  else if (error.code == "perm_account_invalid")
    error.message = "that account on " + asset + " is not permitted to you any more (" + said + "); see `jms assets`";
  else if (error.code.starts_with("acl_face") || error.code == "no_face_feature")
    error.message = asset + " wants your face to be checked, which only the browser can do (" + said + ")";
  return error;
}

}  // namespace

/// Accounts without a name or secret of their own take the operator's.
CoreResult<Json> TokenDesk::request_body(ConnectionSetup& setup, const OpenWish& wish, const Door& door,
                                         TypedAccount& typed) {
  Json body = {{"asset", wish.detail.asset.id},
               {"account", wish.account.alias},
               {"protocol", door.protocol},
               {"connect_method", door.method},
               {"connect_options", {{"charset", "default"}, {"backspaceAsCtrlH", false}}}};
  if (!wish.account.manual() && !wish.account.same_name()) return body;
  const std::string asset = base::one_line(wish.detail.asset.name, 80);
  SshQuestion question{.kind = SshQuestion::Kind::challenge, .hop = wish.detail.asset.name, .echo = true};
  if (!typed.asked) {
    typed.user = client_.credentials().user;
    if (wish.account.manual()) {
      question.text = "User name on " + asset + ": ";
      const auto answer = setup.ask(question);
      if (!answer) return tl::unexpected(CoreError{Kind::cancelled, 0, "", "no user name was given"});
      typed.user = answer->view();
    }
    question.echo = false;
    question.kind = SshQuestion::Kind::password;
    question.text = "Password of " + base::one_line(typed.user, 80) + " on " + asset + ": ";
    auto secret = setup.ask(question);
    if (!secret) return tl::unexpected(CoreError{Kind::cancelled, 0, "", "no password was given"});
    typed.secret = std::move(*secret);
    typed.asked = true;
  }
  if (wish.account.manual()) body["input_username"] = typed.user;
  body["input_secret"] = std::string(typed.secret.view());
  return body;
}

CoreResult<Pass> TokenDesk::pass(ConnectionSetup& setup, const OpenWish& wish, const Door& door,
                                 const std::string& old_id, TypedAccount& typed) {
  if (!old_id.empty()) {
    auto copied = issue(setup, wish, door, std::string(kTokens) + "exchange/", {{"id", old_id}});
    if (copied || copied.error().kind != Kind::not_found) return copied;
  }
  const auto body = request_body(setup, wish, door, typed);
  if (!body) return tl::unexpected(body.error());
  return issue(setup, wish, door, kTokens, *body);
}

/// The place depends on the asset only: it is asked for at the same time.
CoreResult<Pass> TokenDesk::issue(ConnectionSetup& setup, const OpenWish& wish, const Door& door,
                                  const std::string& path, const Json& body) {
  auto answers = client_.together(
      setup, {{.method = "POST", .path = path, .body = body}, endpoint_call(door, wish.detail.asset.id)});
  auto token = settled(setup, wish, path, body, std::move(answers[0]));
  if (!token) return tl::unexpected(token.error());
  auto endpoint = endpoint_from(door, answers[1]);
  if (!endpoint) return tl::unexpected(endpoint.error());
  return Pass{std::move(*token), std::move(*endpoint)};
}

CoreResult<ConnectionToken> TokenDesk::settled(ConnectionSetup& setup, const OpenWish& wish, const std::string& path,
                                               const Json& body, CoreResult<Json> answer) {
  const bool reviewed = !answer && answer.error().code == "acl_review";
  if (reviewed) answer = with_review(setup, wish, path, body, CoreError(answer.error()));
  if (!answer) return tl::unexpected(explained(answer.error(), base::one_line(wish.detail.asset.name, 80)));
  ConnectionToken token = token_from(*answer);
  if (token.id.empty()) return refused("", client_.host() + " gave no connection token; is it version 3 or later?");
  token.reviewed = reviewed || !token.active;
  if (token.active) return token;
  if (auto waited = wait_for_review(setup, token); !waited) return tl::unexpected(waited.error());
  return token;
}

CoreResult<Json> TokenDesk::with_review(ConnectionSetup& setup, const OpenWish& wish, const std::string& path,
                                        const Json& body, const CoreError& why) {
  const std::string asset = base::one_line(wish.detail.asset.name, 80);
  if (!wish.may_wait_for_review)
    return refused(
        "acl_review",
        "opening " + asset + " needs a reviewer's approval; open it with `jms` to ask for it (" + why.message + ")");
  SshQuestion question{.kind = SshQuestion::Kind::challenge, .hop = asset, .echo = true};
  question.text = "Opening " + asset + " needs a reviewer's approval. Ask for it? [y/N] ";
  const auto answer = setup.ask(question);
  if (!answer || (answer->view() != "y" && answer->view() != "Y" && answer->view() != "yes"))
    return refused("acl_review", asset + " was not opened: no approval was asked for");
  return client_.ask(setup, {.method = "POST", .path = path + "?create_ticket=1", .body = body});
}

/// Nobody needs the reviewers' word any more: the request goes from their list.
CoreResult<void> TokenDesk::withdraw(ConnectionSetup& setup, const ConnectionToken& token) {
  if (token.close_path.starts_with("/api/v1/"))
    client_.send_last(setup, {.method = "PUT", .path = token.close_path, .body = Json::object()});
  return tl::unexpected(CoreError{Kind::cancelled, 0, "", "interrupted"});
}

CoreResult<void> TokenDesk::wait_for_review(ConnectionSetup& setup, const ConnectionToken& token) {
  if (!token.ticket_path.starts_with("/api/v1/"))
    return refused("acl_review", "the session waits for a reviewer, but the server does not say where to look");
  const auto begin = std::chrono::steady_clock::now();
  const event::Deadline limit(kLongestTokenReview);
  for (auto wait = kFirstTokenPoll; !limit.passed(); wait = kTokenPoll) {
    const auto waited =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin).count();
    setup.tell("waiting for " + (token.reviewers.empty() ? "a reviewer" : base::joined(token.reviewers, ", ")) +
               " to approve: " + std::to_string(waited) + " s (Ctrl-C gives up)");
    if (!pause(setup, wait)) return withdraw(setup, token);
    const auto ticket = client_.ask(setup, {.path = token.ticket_path});
    if (setup.fiber().cancelled()) return withdraw(setup, token);
    if (!ticket) return tl::unexpected(ticket.error());
    const std::string state = choice_at(*ticket, "state");
    if (state == "approved") return {};
    if (state == "rejected") return refused("rejected", "a reviewer refused the session");
    if (state == "closed" || choice_at(*ticket, "status") == "closed")
      return refused("closed", "the request for approval was closed; ask again");
  }
  return refused("review_timeout", "no reviewer answered before the token ended (5 minutes); ask again");
}

Call TokenDesk::endpoint_call(const Door& door, const std::string& asset_id) const {
  const bool secure = client_.credentials().server.starts_with("https");
  const std::string protocol = door.via == Via::ssh ? "ssh" : secure ? "https" : "http";
  return {.path = "/api/v1/terminal/endpoints/smart/?protocol=" + protocol + "&asset_id=" + url_encoded(asset_id)};
}

CoreResult<Endpoint> TokenDesk::endpoint_from(const Door& door, const CoreResult<Json>& json) const {
  if (!json) return tl::unexpected(json.error());
  Endpoint found;
  found.host = text_at(*json, "host");
  found.https_port = static_cast<int>(number_at(*json, "https_port", 0));
  found.http_port = static_cast<int>(number_at(*json, "http_port", 0));
  found.ssh_port = static_cast<int>(number_at(*json, "ssh_port", 0));
  if (found.host.empty() || found.host.find_first_of("/@ \t\r\n?#") != std::string::npos || found.host.front() == '-') {
    std::string own = client_.host();
    found.host = own.front() == '[' ? own.substr(1, own.find(']') - 1) : own.substr(0, own.find(':'));
  }
  if (door.via == Via::ssh && (found.ssh_port <= 0 || found.ssh_port > 65535))
    return refused("no_ssh", client_.host() + " offers no SSH port; try `--via ws` after `jms login --with web`");
  return found;
}

KokoTicket TokenDesk::koko_ticket(ConnectionSetup& setup, const Pass& pass) {
  const auto& [token, endpoint] = pass;
  const Credentials& have = client_.credentials();
  const bool secure = have.server.starts_with("https");
  const int port = secure ? endpoint.https_port : endpoint.http_port;
  const std::string own = have.server.substr(secure ? 8 : 7);
  const std::string own_host = own.front() == '[' ? own.substr(0, own.find(']') + 1) : own.substr(0, own.find(':'));
  const bool v6 = endpoint.host.find(':') != std::string::npos && endpoint.host.front() != '[';
  const std::string host = v6 ? "[" + endpoint.host + "]" : endpoint.host;
  KokoTicket ticket;
  // Port 0 means the port of the web address, and our own host is asked as the operator wrote it.
  ticket.host = port == 0 || host == own_host ? host + own.substr(own_host.size()) : host + ":" + std::to_string(port);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  ticket.url =
      (secure ? "wss://" : "ws://") + ticket.host + "/koko/ws/terminal/?token=" + url_encoded(token.id) +
      "&disableautohash=&_=" + std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
  std::string cookie = "django_language=en";
  if (!have.web.id.empty()) cookie = have.web.prefix + "sessionid=" + have.web.id + "; " + cookie;
  ticket.headers = {{"Cookie", cookie}, {"Accept-Language", "en"}};
  // v5 replays these on the profile; v4 ignores them.
  for (auto& header : client_.authorization("GET", "/api/v1/users/profile/", false))
    ticket.headers.push_back(std::move(header));
  ticket.ca_file = client_.ca_file();
  ticket.token_id = token.id;
  if (!has_session()) add_connect_ticket(setup, ticket);
  add_limits(setup, ticket);
  return ticket;
}

/// As far as the reference tells (v5); no such server has been seen. Without one the handshake is tried all the same:
/// koko may take the headers.
void TokenDesk::add_connect_ticket(ConnectionSetup& setup, KokoTicket& ticket) {
  if (facts_.get(setup, Fact::tickets).value_or(Json(false)) != Json(true)) return;
  const auto given =
      client_.ask(setup, {.method = "POST",
                          .path = kConnectTicketPath,
                          .body = {{"token_id", ticket.token_id}, {"org_id", client_.credentials().org}}});
  if (given && !text_at(*given, "ticket").empty())
    ticket.headers.emplace_back("X-Koko-Connect-Ticket", text_at(*given, "ticket"));
  else
    facts_.forget(Fact::tickets);
}

void TokenDesk::add_limits(ConnectionSetup& setup, KokoTicket& ticket) {
  const auto settings = facts_.get(setup, Fact::settings);
  if (!settings) return;  // They only serve warnings.
  const long idle = number_at(*settings, "idle", 0), longest = number_at(*settings, "longest", 0);
  if (idle > 0 && idle < 1'000'000) ticket.idle_limit = std::chrono::minutes(idle);
  if (longest > 0 && longest < 100'000) ticket.longest = std::chrono::hours(longest);
}

}  // namespace transport::jumpserver
