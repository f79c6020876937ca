#include "tests/support/core_server.h"

namespace test_server {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

}  // namespace

CoreServer::Json CoreServer::coded(const std::string& code, const std::string& message) const {
  return {{site.codes_as_code ? "code" : "error", code}, {"msg", message}};
}

/// The API's sign-in. What has been done so far stands under the cookie, and nowhere else.
Reply CoreServer::sign_in(const HttpRequest& request) {
  const Json body = body_of(request);
  if (!body.is_object()) return json_reply(400, {{"detail", "JSON parse error"}});
  if (body.value("username", "") != site.user || body.value("password", "") != site.password) {
    const int left = site.failures_until_lock - ++failures_;
    if (left <= 0)
      return json_reply(
          400, coded("block_login",
                     "The account has been locked (please contact admin to unlock it or try again after 30 minutes)"));
    return json_reply(
        400, coded("password_failed",
                   "The username or password you entered is incorrect, please enter it again. You can also try " +
                       std::to_string(left) + " times"));
  }
  if (failures_ >= site.failures_until_lock)
    return json_reply(
        400, coded("block_login",
                   "The account has been locked (please contact admin to unlock it or try again after 30 minutes)"));
  std::string id = session_cookie(request);
  if (!sessions_.contains(id)) id = "api" + fresh_id();
  WebSession& session = sessions_[id];
  session.password = true;
  const Headers cookie = {{"set-cookie", site.cookie_prefix + "sessionid=" + id + "; HttpOnly; Path=/"}};
  if (!site.mfa.empty() && !session.second_factor) {
    Json answer = coded("mfa_required", "MFA required");
    answer["data"] = {{"choices", site.mfa}, {"url", "/api/v1/authentication/mfa/challenge/"}};
    return json_reply(200, answer, cookie);
  }
  if (site.login_review && !session.review) {
    Json answer = coded("login_confirm_wait", "Wait login confirm ticket for accept");
    answer["data"] = {{"ticket_id", fresh_id()}};
    return json_reply(200, answer, cookie);
  }
  failures_ = 0;
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
  return code == (type == "sms" ? site.sms : site.otp);
}

Reply CoreServer::mfa_challenge(const HttpRequest& request) {
  const auto session = sessions_.find(session_cookie(request));
  if (session == sessions_.end() || !session->second.password) {
    violation("a code is given without the cookie of the sign-in");
    return json_reply(400, coded("session_empty", "The user session is empty"));
  }
  const Json body = body_of(request);
  if (!code_holds(session->second, body.value("type", ""), body.value("code", "")))
    return json_reply(401, coded("mfa_failed", "OTP code invalid, or server time error"));
  session->second.second_factor = true;
  return json_reply(200, {{"msg", "ok"}});
}

Reply CoreServer::review_status(const HttpRequest& request) {
  const auto session = sessions_.find(session_cookie(request));
  if (session == sessions_.end() || !session->second.password) {
    violation("a review is asked about without the cookie of the sign-in");
    return json_reply(400, coded("session_empty", "The user session is empty"));
  }
  if (request.method == "DELETE") {
    sessions_.erase(session);
    return json_reply(200, {{"msg", "ok"}});
  }
  if (++session->second.polls < site.polls_until_decision)
    return json_reply(200, coded("login_confirm_wait", "Wait login confirm ticket for accept"));
  if (!site.reviewer_says_yes)
    return json_reply(200, coded("login_confirm_error", "Login confirm ticket was rejected"));
  session->second.review = true;
  return json_reply(200, {{"msg", "ok"}});
}

// ---- The pages

Reply CoreServer::page(const HttpRequest& request, const Target& target) {
  const Headers html = {{"content-type", "text/html"}};
  if (target.path == "/core/auth/login/" && request.method == "POST") return login_form(request);
  if (target.path == "/core/auth/login/mfa/" && request.method == "POST") return mfa_form(request);
  if (target.path == "/core/auth/login/") {
    if (site.single_sign_on) return reply(302, "", {{"location", "https://sso.example.test/authorize?client=jms"}});
    const std::string id = "pre" + fresh_id(), csrf = "csrf" + fresh_id();
    sessions_[id].test_cookie = true;
    csrf_.insert(csrf);
    Headers headers = html;
    headers.emplace_back("set-cookie", site.cookie_prefix + "csrftoken=" + csrf + "; Path=/; SameSite=Lax");
    headers.emplace_back("set-cookie", site.cookie_prefix + "sessionid=" + id + "; HttpOnly; Path=/");
    headers.emplace_back("set-cookie", site.cookie_prefix + "public_key=\"LS0t\"; Path=/");
    if (site.cookie_prefix != "jms_")
      headers.emplace_back("set-cookie", "SESSION_COOKIE_NAME_PREFIX=" + site.cookie_prefix + "; Path=/");
    return reply(200,
                 std::string("<html><title>Login</title><form>") + (site.captcha ? "<input name=\"captcha_1\">" : "") +
                     "</form>",
                 headers);
  }
  const auto session = sessions_.find(session_cookie(request));
  if (session == sessions_.end()) {
    violation("a page of the sign-in without its cookie: " + target.path);
    return reply(302, "", {{"location", "/core/auth/login/"}});
  }
  if (target.path == "/core/auth/login/mfa/") {
    std::string options;
    for (const auto& type : site.mfa) options += "<option value=\"" + type + "\">" + type + "</option>";
    return reply(200, "<html><form><select name=\"mfa_type\">" + options + "</select></form>", html);
  }
  if (target.path != "/core/auth/login/guard/") return reply(404, "<html><title>404</title></html>", html);
  if (!session->second.password) return reply(302, "", {{"location", "/core/auth/login/"}});
  if (!site.mfa.empty() && !session->second.second_factor)
    return reply(302, "", {{"location", "/core/auth/login/mfa/"}});
  if (site.login_review) return reply(302, "", {{"location", "/core/auth/login/wait-confirm/"}});
  sessions_.erase(session);  // A fresh one, so that nobody can have planted it.
  return reply(302, "",
               {{"location", "/"},
                {"set-cookie", site.cookie_prefix + "sessionid=" + open_web_session() + "; HttpOnly; Path=/"}});
}

bool CoreServer::csrf_form_holds(const HttpRequest& request) {
  const auto header = request.headers.find("cookie");
  const auto cookies =
      header == request.headers.end() ? std::map<std::string, std::string>() : cookies_of(header->second);
  const auto cookie = cookies.find(site.cookie_prefix + "csrftoken");
  auto form = form_of(request);
  const bool holds =
      cookie != cookies.end() && csrf_.contains(cookie->second) && form["csrfmiddlewaretoken"] == cookie->second;
  if (!holds) violation("a form without its CSRF token: " + request.target);
  if (tls_ && !request.headers.contains("referer")) violation("a form over https without a Referer");
  return holds;
}

Reply CoreServer::login_form(const HttpRequest& request) {
  if (!csrf_form_holds(request)) return reply(403, "<html><title>403 Forbidden</title>CSRF verification failed</html>");
  const auto session = sessions_.find(session_cookie(request));
  if (session == sessions_.end() || !session->second.test_cookie) {
    violation("the login form was sent without a visit to its page");
    return reply(200, "<html><form>Please enable cookies and try again.</form>");
  }
  auto form = form_of(request);
  if (form["username"] != site.user || form["password"] != site.password || site.captcha) {
    ++failures_;
    return reply(200, "<html><form>The username or password you entered is incorrect</form>");
  }
  session->second.password = true;
  return reply(302, "", {{"location", "/core/auth/login/guard/"}});
}

Reply CoreServer::mfa_form(const HttpRequest& request) {
  if (!csrf_form_holds(request)) return reply(403, "<html><title>403 Forbidden</title></html>");
  const auto session = sessions_.find(session_cookie(request));
  auto form = form_of(request);
  if (session == sessions_.end()) return reply(302, "", {{"location", "/core/auth/login/"}});
  if (!code_holds(session->second, form["mfa_type"], form["code"]))
    return reply(200, "<html><form>OTP code invalid</form>");
  session->second.second_factor = true;
  return reply(302, "", {{"location", "/core/auth/login/guard/"}});
}

}  // namespace test_server
