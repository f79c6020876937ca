// The pages of core's sign-in, field by field as v4 has them: the word "captcha" stands in the style sheet of each, and
// a captcha is asked for by fields only, after a wrong password on the page itself.
#include "tests/support/core_server.h"

namespace test_server {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

const Headers kHtml = {{"content-type", "text/html; charset=utf-8"}};

/// One white pixel.
const std::string kPicture = std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\10\0\0\0\0:~\x9bU", 33) +
                             std::string("\0\0\0\nIDATx\x9c", 10) + std::string("c\xf8\17\0\1\1\1\0\xb1", 9) +
                             std::string("8\xf6\24\0\0\0\0IEND\xae", 12) + "B`\x82";

Reply to(const std::string& where) {
  return reply(302, "", {{"location", where}});
}

}  // namespace

/// Each form token differs from the cookie, as Django masks it anew for every page; both are good.
std::string CoreServer::login_html(const std::string& complaint, const std::string& captcha_complaint) {
  const bool captcha = (site.captcha || captcha_asked_) && site.challenge.empty() && !site.mfa_on_login_page;
  const std::string mask = "masked" + fresh_id();
  csrf_.insert(mask);
  std::string html =
      "<!DOCTYPE html>\n<html><head><title>\n JumpServer\n</title><style>.captcha { float: right }\n"
      ".captcha-field .has-error .help-block { margin: 0 }</style></head><body><div class=\"left-form-box " +
      std::string(captcha ? "" : "no-captcha-challenge") +
      "\">\n<form id=\"login-form\" action=\"\" method=\"post\" role=\"form\" novalidate=\"novalidate\">\n"
      "<input type=\"hidden\" name=\"csrfmiddlewaretoken\" value=\"" +
      mask + "\">";
  if (!complaint.empty()) html += "<p class=\"help-block red-fonts\">\n * " + complaint + "\n</p>";
  html +=
      "<div class=\"form-group\"><input type=\"text\" name=\"username\" maxlength=\"100\" autofocus required></div>"
      "<input type=\"password\" class=\"form-control\" id=\"password\" required>"
      "<input id=\"password-hidden\" type=\"text\" style=\"display:none\" name=\"password\">";
  if (!site.challenge.empty()) html += "<input type=\"text\" name=\"challenge\" maxlength=\"128\">";
  if (site.mfa_on_login_page)
    html += "<select id=\"mfa-select\" name=\"mfa_type\"><option value=\"otp\">\n OTP\n</option></select>";
  if (captcha) {
    const std::string key = "cap" + fresh_id();
    captchas_.insert(key);
    html += "<div class=\"captcha-field\"><div class=\"form-group" +
            std::string(captcha_complaint.empty() ? "" : " has-error") + "\"><img src=\"/core/auth/captcha/image/" +
            key + "/\" alt=\"captcha\" class=\"captcha\" /><input type=\"hidden\" name=\"captcha_0\" value=\"" + key +
            "\" required id=\"id_captcha_0\"><input type=\"text\" name=\"captcha_1\" required autocapitalize=\"off\">" +
            (captcha_complaint.empty() ? "" : "<div class=\"help-block\">" + captcha_complaint + "</div>") +
            "</div></div>";
  }
  return html +
         "<input type=\"checkbox\" name=\"auto_login\" id=\"id_auto_login\"><input type=\"hidden\" name=\"kept_as_is\" "
         "value=\"a &amp; b\"><button type=\"submit\">Login</button></form></div></body><script>if (1 < 2) "
         "$('.captcha').click()</script></html>";
}

Reply CoreServer::page(const HttpRequest& request, const Target& target) {
  const std::string login = "/core/auth/login/";
  if (target.path.starts_with("/core/auth/captcha/image/"))
    return reply(200, kPicture, {{"content-type", "image/png"}});
  if (target.path == "/core/flash-message/")
    return reply(
        200,
        "<html><title>Please change your password</title><style>.alert.alert-msg {}</style><div class=\"alert "
        "alert-info\" id=\"messages\">\n Your password has expired, please reset before logging in\n</div></html>",
        kHtml);
  if (target.path == login) return request.method == "POST" ? login_form(request) : login_page(request);
  if (target.path == login + "mfa/" && request.method == "POST") return mfa_form(request);
  const auto session = sessions_.find(session_cookie(request));
  if (session == sessions_.end()) {
    violation("a page of the sign-in without its cookie: " + target.path);
    return to(login);
  }
  if (target.path == login + "guard/") return guard(request);
  if (target.path == login + "mfa/") {
    if (site.mfa_unset) return to("/core/auth/profile/otp/enable/start/?_=login_mfa");
    return mfa_page("");
  }
  return reply(404, "<html><title>404</title></html>", kHtml);
}

Reply CoreServer::login_page(const HttpRequest& request) {
  if (site.single_sign_on) return to("https://sso.example.test/authorize?client=jms");
  if (!site.strange_page.empty()) return reply(200, site.strange_page, kHtml);
  std::string id = session_cookie(request);
  if (!sessions_.contains(id)) id = "pre" + fresh_id();
  sessions_[id].test_cookie = true;
  const std::string csrf = "csrf" + fresh_id();
  csrf_.insert(csrf);
  Headers headers = kHtml;
  headers.emplace_back("set-cookie", site.cookie_prefix + "csrftoken=" + csrf + "; Path=/; SameSite=Lax");
  headers.emplace_back("set-cookie", "SESSION_COOKIE_NAME_PREFIX=" + site.cookie_prefix + "; Path=/");
  headers.emplace_back("set-cookie", site.cookie_prefix + "public_key=\"LS0t\"; Path=/");
  headers.emplace_back("set-cookie", site.cookie_prefix + "sessionid=" + id + "; HttpOnly; Path=/");
  return reply(200, login_html("", ""), headers);
}

bool CoreServer::csrf_form_holds(const HttpRequest& request) {
  const auto header = request.headers.find("cookie");
  const auto cookies =
      header == request.headers.end() ? std::map<std::string, std::string>() : cookies_of(header->second);
  const auto cookie = cookies.find(site.cookie_prefix + "csrftoken");
  auto form = form_of(request);
  const bool holds =
      cookie != cookies.end() && csrf_.contains(cookie->second) && csrf_.contains(form["csrfmiddlewaretoken"]);
  if (!holds) violation("a form without its CSRF token: " + request.target);
  if (tls_ && !request.headers.contains("referer")) violation("a form over https without a Referer");
  return holds;
}

/// Each key is good for one try.
bool CoreServer::captcha_holds(std::map<std::string, std::string>& form) {
  return captchas_.erase(form["captcha_0"]) > 0 && form["captcha_1"] == site.captcha_says;
}

Reply CoreServer::login_form(const HttpRequest& request) {
  if (!csrf_form_holds(request)) return reply(403, "<html><title>403 Forbidden</title>CSRF verification failed</html>");
  const auto session = sessions_.find(session_cookie(request));
  if (session == sessions_.end() || !session->second.test_cookie) {
    violation("the login form was sent without a visit to its page");
    return reply(200, login_html("Login timeout, please try again.", ""), kHtml);
  }
  auto form = form_of(request);
  if (form["kept_as_is"] != "a & b") violation("a hidden field was not sent back as it is");
  if (site.mfa_on_login_page && !form.contains("mfa_type")) {
    violation("the choice on the login page was left out");
    return reply(200, login_html("", ""), kHtml);
  }
  if ((site.captcha || captcha_asked_) && site.challenge.empty() && !site.mfa_on_login_page && !captcha_holds(form))
    return reply(200, login_html("", "Invalid CAPTCHA"), kHtml);
  if (const auto why = refusal(form["username"], form["password"] + form["challenge"])) {
    captcha_asked_ = true;
    return reply(200, login_html(why->second, ""), kHtml);
  }
  if (site.must_change_password) return to("/core/flash-message/?code=a1");
  session->second.password = true;
  session->second.wants_review = site.login_review;
  return to("/core/auth/login/guard/");
}

Reply CoreServer::mfa_page(const std::string& complaint) {
  const std::string mask = "masked" + fresh_id();
  csrf_.insert(mask);
  std::string options, fields;
  // What the site knows and this user has not set up stands there as well, switched off.
  for (const auto& type : site.mfa) {
    options += "<option value=\"" + type + "\"\n >\n " + type + "\n</option>";
    fields += "<div id=\"mfa-" + type + "\" class=\"mfa-field\"><input type=\"text\" class=\"input-style\"></div>";
  }
  return reply(
      200,
      "<html><head><title>JumpServer</title></head><h2 class=\"font-bold\">MFA Auth</h2><form class=\"m-t\" "
      "role=\"form\" method=\"post\" action=\"\"><input type=\"hidden\" name=\"csrfmiddlewaretoken\" value=\"" +
          mask + "\">" + (complaint.empty() ? "" : "<p class=\"red-fonts\">* " + complaint + "</p>") +
          "<select id=\"mfa-select\" name=\"mfa_type\" class=\"form-control\"><option value=\"off\" disabled>Off"
          "</option>" +
          options + "</select>" + fields + "<button id='submit_button' type=\"submit\">Next</button></form></html>",
      kHtml);
}

Reply CoreServer::mfa_form(const HttpRequest& request) {
  if (!csrf_form_holds(request)) return reply(403, "<html><title>403 Forbidden</title></html>");
  const auto session = sessions_.find(session_cookie(request));
  if (session == sessions_.end() || !session->second.password) return to("/core/auth/login/");
  auto form = form_of(request);
  if (!code_holds(session->second, form["mfa_type"], form["code"]))
    return mfa_page("OTP code invalid, or server time error, You can also try " +
                    std::to_string(site.failures_until_lock - code_failures_) + " times");
  return to("/core/auth/login/guard/?_=mfa_ok");
}

Reply CoreServer::guard(const HttpRequest& request) {
  const auto found = sessions_.find(session_cookie(request));
  WebSession& session = found->second;
  if (!session.password) return to("/core/auth/login/");
  if (wants_code(session)) return to("/core/auth/login/mfa/");
  if (session.wants_review && !session.approved) {
    session.ticket = true;
    return to("/core/auth/login/wait-confirm/");
  }
  // A fresh one, so that nobody can have planted it; what it knew stays, but for the sign-in itself.
  WebSession signed_in = session;
  signed_in.forget_sign_in();
  signed_in.signed_in = true;
  sessions_.erase(found);
  const std::string id = "web" + fresh_id(), csrf = "csrf" + fresh_id();
  sessions_[id] = signed_in;
  csrf_.insert(csrf);
  return reply(302, "",
               {{"location", "/"},
                {"set-cookie", site.cookie_prefix + "csrftoken=" + csrf + "; Path=/; SameSite=Lax"},
                {"set-cookie", site.cookie_prefix + "sessionid=" + id + "; HttpOnly; Path=/"}});
}

}  // namespace test_server
