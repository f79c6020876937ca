#include <algorithm>

#include "tests/support/core_server.h"

namespace test_server {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kLocked =
    "The account has been locked (please contact admin to unlock it or try again after 30 minutes)";

}  // namespace

CoreServer::Json CoreServer::coded(const std::string& code, const std::string& message) const {
  return {{site.codes_as_code ? "code" : "error", code}, {"msg", message}};
}

int CoreServer::open_reviews() const {
  return static_cast<int>(std::count_if(sessions_.begin(), sessions_.end(), [](const auto& entry) {
    return entry.second.ticket && !entry.second.approved;
  }));
}

int CoreServer::short_lived_sessions() const {
  return static_cast<int>(std::count_if(sessions_.begin(), sessions_.end(), [](const auto& entry) {
    return entry.second.signed_in && entry.second.short_lived;
  }));
}

/// The session of the request's cookie, or a new one that the API makes.
CoreServer::WebSession& CoreServer::session_for(const HttpRequest& request, std::string& cookie) {
  cookie = session_cookie(request);
  if (sessions_.contains(cookie)) return sessions_[cookie];
  cookie = "api" + fresh_id();
  sessions_[cookie].short_lived = true;
  return sessions_[cookie];
}

/// Why user and password do not open the door, as code and sentence.
std::optional<std::pair<std::string, std::string>> CoreServer::refusal(const std::string& user,
                                                                       const std::string& password) {
  if (site.address_blocked)
    return {{"block_global_ip_login",
             "The address has been locked (please contact admin to unlock it or try again after 30 minutes)"}};
  if (failures_ >= site.failures_until_lock) return {{"block_login", kLocked}};
  if (user != site.user || password != site.password + site.challenge) {
    const int left = site.failures_until_lock - ++failures_;
    if (left <= 0) return {{"password_failed", kLocked}};
    return {{"password_failed",
             "The username or password you entered is incorrect, please enter it again. You can also try " +
                 std::to_string(left) + " times (The account will be temporarily locked for 30 minutes)"}};
  }
  if (site.expired) return {{"user_expired", "This account is expired"}};
  if (site.inactive) return {{"user_inactive", "This account is inactive."}};
  if (site.forbidden) return {{"acl_not_allow", "Current login is prohibited by ACL rules"}};
  return std::nullopt;
}

bool CoreServer::wants_code(const WebSession& session) const {
  return (site.mfa_unset || !site.mfa.empty()) && !session.second_factor;
}

/// The API's sign-in. What has been done so far stands under the cookie, and nowhere else.
Reply CoreServer::sign_in(const HttpRequest& request) {
  const Json body = body_of(request);
  if (!body.is_object()) return json_reply(400, {{"detail", "JSON parse error"}});
  std::string id;
  WebSession& session = session_for(request, id);
  if (!session.password) {
    if (const auto why = refusal(body.value("username", ""), body.value("password", "")))
      return json_reply(400, coded(why->first, why->second));
    if (site.must_change_password)
      return reply(500, "<html><title>Server Error (500)</title></html>", {{"content-type", "text/html"}});
    session.password = true;
    session.wants_review = site.login_review;
  }
  const Headers cookie = {{"set-cookie", site.cookie_prefix + "sessionid=" + id + "; HttpOnly; Path=/"}};
  if (wants_code(session)) {
    Json answer = coded("mfa_required", "MFA required");
    answer["data"] = {{"choices", site.mfa}, {"url", "/api/v1/authentication/mfa/challenge/"}};
    return json_reply(200, answer, cookie);
  }
  if (session.wants_review && !session.approved) {
    session.ticket = true;
    Json answer = coded("login_confirm_wait", "Wait login confirm ticket for accept");
    answer["data"] = {{"ticket_id", fresh_id()}};
    return json_reply(200, answer, cookie);
  }
  failures_ = 0;
  session.forget_sign_in();
  std::string token = fresh_id();  // 36 characters
  bearers_.insert(token);
  return json_reply(201,
                    {{"token", token},
                     {"keyword", "Bearer"},
                     {"date_expired", "2099/01/07 08:30:00 +0000"},
                     {"user", {{"id", site.user_id}, {"username", site.user}}}},
                    cookie);
}

Reply CoreServer::mfa_select(const HttpRequest& request) {
  const auto session = sessions_.find(session_cookie(request));
  if (session == sessions_.end() || !session->second.password) {
    violation("a second factor is chosen without the cookie of the sign-in");
    return json_reply(400, coded("session_empty", "The user session is empty"));
  }
  session->second.sent.insert(body_of(request).value("type", ""));
  return json_reply(201, Json::object());
}

bool CoreServer::code_holds(WebSession& session, const std::string& type, const std::string& code) {
  if ((type == "sms" || type == "email") && !session.sent.contains(type)) {
    violation("a code by " + type + " is given that nobody sent");
    return false;
  }
  if (std::find(site.mfa.begin(), site.mfa.end(), type) == site.mfa.end()) {
    violation("a second factor that was not offered: " + type);
    return false;
  }
  if (site.codes_once && code == last_code_) return false;
  if (code != (type == "sms" || type == "email" ? site.sms : site.otp)) {
    ++code_failures_;
    return false;
  }
  last_code_ = code;
  session.second_factor = true;
  return true;
}

Reply CoreServer::mfa_challenge(const HttpRequest& request) {
  const auto session = sessions_.find(session_cookie(request));
  if (session == sessions_.end() || !session->second.password) {
    violation("a code is given without the cookie of the sign-in");
    return json_reply(401,
                      {{"detail", "Authentication credentials were not provided."}, {"code", "not_authenticated"}});
  }
  const Json body = body_of(request);
  if (code_failures_ >= site.failures_until_lock) return json_reply(401, coded("block_mfa", kLocked));
  if (!code_holds(session->second, body.value("type", ""), body.value("code", "")))
    return json_reply(401,
                      coded("mfa_failed", "OTP code invalid, or server time error, You can also try " +
                                              std::to_string(site.failures_until_lock - code_failures_) + " times"));
  return json_reply(200, {{"msg", "ok"}});
}

Reply CoreServer::review_status(const HttpRequest& request) {
  const auto found = sessions_.find(session_cookie(request));
  if (found == sessions_.end() || !found->second.ticket) {
    violation("a review is asked about that nobody wanted");
    return json_reply(200, coded("login_confirm_error", "Login confirm ticket was Not found"));
  }
  WebSession& session = found->second;
  if (request.method == "DELETE") {
    session.ticket = false;
    return json_reply(200, "");
  }
  if (++session.polls < site.polls_until_decision)
    return json_reply(200, coded("login_confirm_wait", "Wait login confirm ticket for accept"));
  if (!site.reviewer_says_yes) {
    session.ticket = false;
    return json_reply(200, coded("login_confirm_error", "Login confirm ticket was rejected"));
  }
  session.approved = true;
  return json_reply(200, {{"msg", "ok"}});
}

}  // namespace test_server
