#include "transport/jumpserver/web_sign_in.h"

#include <algorithm>

#include "base/one_line.h"
#include "base/words.h"
#include "http/failure.h"

namespace transport::jumpserver {
namespace {

constexpr const char* kLogin = "/core/auth/login/";
constexpr const char* kGuard = "/core/auth/login/guard/";
constexpr const char* kMfa = "/core/auth/login/mfa/";
constexpr const char* kWaitConfirm = "/core/auth/login/wait-confirm";
constexpr int kMostWebSteps = 8;
constexpr int kCaptchaAttempts = 5;
constexpr std::size_t kMostPicture = 256 * 1024;

/// The path of a Location; whatever host it names, only ours is asked.
std::string path_of(std::string_view location) {
  if (const auto scheme = location.find("://"); scheme != std::string_view::npos) {
    const auto slash = location.find('/', scheme + 3);
    return slash == std::string_view::npos ? "/" : std::string(location.substr(slash));
  }
  return location.starts_with('/') ? std::string(location) : std::string();
}

bool has_captcha(const HtmlForm& form) {
  return form.field("captcha_0") != nullptr || form.field("captcha_1") != nullptr;
}

/// Where the picture of this captcha is, as a path of the server; "" when the page shows none.
std::string picture_of(const HtmlPage& page, const std::string& key) {
  const HtmlImage* best = nullptr;
  for (const auto& image : page.images) {
    const bool named = base::mentions(image.css + " " + image.text + " " + image.source, "captcha");
    if (!key.empty() && image.source.find(key) != std::string::npos) best = &image;
    if (named && !best) best = &image;
  }
  return best ? path_of(best->source) : std::string();
}

/// Whether the page only complains about the captcha: the answer was wrong, the password was not looked at.
bool captcha_was_wrong(const HtmlPage& page) {
  return std::all_of(page.complaints.begin(), page.complaints.end(), [](const HtmlComplaint& complaint) {
    return complaint.css.find("red-fonts") == std::string::npos || base::mentions(complaint.words, "captcha");
  });
}

}  // namespace

tl::unexpected<CoreError> WebSignIn::browser_only(const std::string& why) const {
  return refused("browser_only", client_.host() + " " + why +
                                     "; sign in with a browser and give its session to `jms login --with cookie`");
}

CoreResult<Answer> WebSignIn::get(const std::string& path) {
  return client_.send(talk_.setup, {.path = path, .anonymous = true});
}

CoreResult<Answer> WebSignIn::send_form(const HtmlForm& form, const std::string& path, const Fields& ours) {
  Fields fields = form.filled(ours);
  if (form.field("csrfmiddlewaretoken") == nullptr) fields.emplace_back("csrfmiddlewaretoken", client_.jar().csrf());
  return client_.send(talk_.setup, {.method = "POST", .path = path, .form = form_text(fields), .anonymous = true});
}

CoreResult<void> WebSignIn::open_page() {
  const auto page = get(std::string(kLogin) + "?admin=1");
  if (!page) return tl::unexpected(page.error());
  if (page->head.status >= 300 && page->head.status < 400) return browser_only("signs in elsewhere (single sign-on)");
  if (!page->ok()) return tl::unexpected(error_of(page->head, page->json, page->body, client_.host()));
  page_ = read_html(page->body);
  const HtmlForm* form = page_.form_with("password");
  const bool ours = form && form->field("username") && (form->action.empty() || form->action.starts_with('/'));
  if (ours && !client_.jar().csrf().empty()) return {};
  return browser_only("has a login page that jms does not know (\"" + page_.title + "\", " + page_.field_names() +
                      (ours ? ", no CSRF cookie" : "") + ")");
}

CoreResult<void> WebSignIn::submit(bool optional) {
  std::string why;
  for (int attempt = 1; attempt <= kCaptchaAttempts; ++attempt) {
    const HtmlForm form = *page_.form_with("password");
    const auto fields = answers(form, optional, why);
    if (!fields) return tl::unexpected(fields.error());
    auto posted = send_form(form, form.action.empty() ? kLogin : form.action, *fields);
    if (!posted) return tl::unexpected(posted.error());
    if (posted->head.status != 200) return follow(std::move(*posted));
    page_ = read_html(posted->body);
    const HtmlForm* again = page_.form_with("password");
    const bool captcha = again && has_captcha(form) && has_captcha(*again) && captcha_was_wrong(page_);
    if (!captcha) {
      const std::string words = page_.complaint();
      if (words.empty()) return browser_only("showed \"" + page_.title + "\" again and did not say why");
      return refused(may_ask_again(words) ? "password_failed" : "login_refused", client_.host() + " refused: " + words);
    }
    why = page_.complaint().empty() ? "That was not what the picture says." : page_.complaint();
  }
  return browser_only("asked for a captcha " + std::to_string(kCaptchaAttempts) + " times");
}

CoreResult<WebSignIn::Fields> WebSignIn::answers(const HtmlForm& form, bool optional, const std::string& why) {
  // A browser encrypts the password for the server's log; the server takes it as it is, too.
  Fields ours = {{"username", talk_.user}, {"password", std::string(talk_.password.view())}};
  if (form.field("challenge") != nullptr) {
    SshQuestion question{.kind = SshQuestion::Kind::challenge, .hop = client_.host()};
    question.text = "dynamic code (Enter alone: none): ";
    const auto code = talk_.setup.ask(question);
    if (!code) return not_answered(talk_.setup, "the dynamic code of the login page");
    ours.emplace_back("challenge", std::string(code->view()));
  }
  if (has_captcha(form)) {
    const HtmlField* key = form.field("captcha_0");
    const auto answer = ask_captcha(key ? key->value : "", optional, why);
    if (!answer) return tl::unexpected(answer.error());
    ours.emplace_back("captcha_1", std::string(answer->view()));
  }
  return ours;
}

CoreResult<Secret> WebSignIn::ask_captcha(const std::string& key, bool optional, const std::string& why) {
  const std::string asked = client_.host() + " asks for a captcha (it does so for a while after a wrong password)";
  const std::string ways =
      "solve it at a terminal with `jms login --with web`, or give a browser's session with "
      "`jms login --with cookie`";
  const std::string path = picture_of(page_, key);
  if (path.empty()) return browser_only("asks for a captcha without a picture that jms can find");
  if (!talk_.setup.can_ask()) return refused("browser_only", asked + "; " + ways);
  const auto picture = get(path);
  if (!picture) return tl::unexpected(picture.error());
  const bool shown = picture->ok() && !picture->body.empty() && picture->body.size() <= kMostPicture &&
                     talk_.helper.show_picture(talk_.setup, picture->body);
  SshQuestion question{.kind = SshQuestion::Kind::challenge, .hop = client_.host(), .echo = true};
  question.instruction = (why.empty() ? asked : base::one_line(why, 200)) + "\n" +
                         (shown ? "The picture above is also at " : "Look at the picture in a browser: ") +
                         client_.credentials().server + path;
  question.text = optional ? "What it says or asks for; Enter alone goes on without the WebSocket: "
                           : "What it says, or the result it asks for: ";
  auto answer = talk_.setup.ask(question);
  if (!answer) return not_answered(talk_.setup, "the captcha");
  if (optional && answer->empty()) return refused("captcha", asked + "; " + ways);
  return std::move(*answer);
}

CoreResult<void> WebSignIn::pass_guard() {
  auto answer = get(kGuard);
  if (!answer) return tl::unexpected(answer.error());
  return follow(std::move(*answer));
}

CoreResult<void> WebSignIn::follow(Answer answer) {
  for (int step = 0; step < kMostWebSteps; ++step) {
    if (answer.head.status < 300 || answer.head.status >= 400) return tl::unexpected(sign_in_failure(client_, answer));
    const std::string to = path_of(answer.head.header("location"));
    CoreResult<Answer> next;
    if (to.starts_with(kWaitConfirm)) {
      if (auto let_in = wait_for_reviewer(talk_); !let_in) return let_in;
      next = get(kGuard);
    } else if (to.starts_with(kMfa)) {
      next = second_factor();
    } else if (to.starts_with(kGuard)) {
      next = get(to);
    } else if (to.starts_with(kLogin)) {
      return refused("session_empty",
                     client_.host() + " began the sign-in anew, as if it had taken too long; try again");
    } else if (to.starts_with("/core/")) {
      return told_elsewhere(to);
    } else {
      return finish();
    }
    if (!next) return tl::unexpected(next.error());
    answer = std::move(*next);
  }
  return browser_only("does not finish the sign-in");
}

/// Another page comes before the sign-in: a password to be changed, a second factor to be set up.
tl::unexpected<CoreError> WebSignIn::told_elsewhere(const std::string& path) {
  if (path.find("/otp/enable") != std::string::npos)
    return refused("mfa_unset", client_.host() + " wants you to set up a second factor first; do that in the browser");
  const auto shown = get(path);
  if (!shown) return tl::unexpected(shown.error());
  const HtmlPage page = read_html(shown->body);
  const std::string words = page.complaint().empty() ? page.title : page.complaint();
  return refused("login_refused", client_.host() + " does not let you in yet: " +
                                      (words.empty() ? "it shows a page of its own" : words) +
                                      "; do what it wants in the browser, then sign in again");
}

CoreResult<Answer> WebSignIn::second_factor() {
  auto shown = get(kMfa);
  if (!shown || !shown->ok()) return shown;
  page_ = read_html(shown->body);
  const HtmlForm* form = page_.form_with("mfa_type");
  if (!form)
    return browser_only("asks for a second factor on a page that jms does not know (\"" + page_.title + "\", " +
                        page_.field_names() + ")");
  const HtmlField& types = *form->field("mfa_type");
  std::vector<std::string> offered;
  for (const auto& option : types.options)
    if (!option.disabled && !option.value.empty()) offered.push_back(option.value);
  if (types.options.empty() && !types.value.empty()) offered.push_back(types.value);
  SecondFactor factor(talk_);
  if (auto chosen = factor.choose(offered); !chosen) return tl::unexpected(chosen.error());
  for (std::string why;;) {
    const auto code = factor.code(why);
    if (!code) return tl::unexpected(code.error());
    form = page_.form_with("mfa_type");
    auto answer = send_form(form ? *form : HtmlForm(), kMfa, {{"code", *code}, {"mfa_type", factor.type()}});
    if (!answer || answer->head.status != 200) return answer;
    page_ = read_html(answer->body);
    why = page_.complaint();
    if (!factor.may_try_again() || !may_ask_again(why))
      return refused("mfa_failed", client_.host() + " did not accept the code" + (why.empty() ? "" : ": " + why));
  }
}

/// Believed only when the session alone opens the API.
CoreResult<void> WebSignIn::finish() {
  const auto profile = get("/api/v1/users/profile/");
  if (!profile) return tl::unexpected(profile.error());
  if (!profile->ok()) return browser_only("did not give a usable session");
  Credentials& credentials = client_.credentials();
  credentials.web = {client_.jar().session(), client_.jar().csrf(), client_.jar().prefix()};
  credentials.user = talk_.user;
  return {};
}

}  // namespace transport::jumpserver
