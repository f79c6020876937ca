#include <algorithm>
#include <charconv>

#include "base/one_line.h"
#include "transport/jumpserver/sign_in.h"

namespace transport::jumpserver {
namespace {

constexpr int kCodeAttempts = 3;
// A command cannot mistype: a second refusal has another cause than a code that was used up.
constexpr int kCommandAttempts = 2;

std::string factor_name(const std::string& type) {
  if (type == "otp") return "one-time code (authenticator app)";
  if (type == "sms") return "code by SMS";
  if (type == "email") return "code by mail";
  if (type == "otp_radius" || type == "radius") return "RADIUS code";
  if (type == "mfa_custom") return "code of your organisation";
  return base::one_line(type, 60);
}

std::optional<std::size_t> chosen_one(const std::vector<std::string>& usable, std::string_view text) {
  if (text.empty()) return 0;
  if (const auto named = std::find(usable.begin(), usable.end(), text); named != usable.end())
    return static_cast<std::size_t>(named - usable.begin());
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number >= 1 && number <= usable.size() ? std::optional(number - 1) : std::nullopt;
}

}  // namespace

CoreResult<void> SecondFactor::choose(const std::vector<std::string>& offered) {
  const std::string& host = talk_.client.host();
  if (offered.empty())
    return refused("mfa_unset",
                   host + " wants a second factor, and you have set up none; do that in the browser first");
  std::vector<std::string> usable;
  for (const auto& type : offered)
    if (type != "face" && type != "passkey") usable.push_back(type);
  if (usable.empty())
    return refused("browser_only", host +
                                       " wants a second factor that only a browser can give; sign in there and use "
                                       "`jms login --with cookie`, or an access key with `--with key`");
  type_ = usable.front();
  if (talk_.helper.has_one_time_codes() && std::find(usable.begin(), usable.end(), "otp") != usable.end()) {
    type_ = "otp";
    return {};
  }
  SshQuestion question{.kind = SshQuestion::Kind::challenge, .hop = host, .echo = true};
  question.instruction = host + " wants a second factor:";
  for (std::size_t i = 0; i < usable.size(); ++i)
    question.instruction += "\n  " + std::to_string(i + 1) + ") " + factor_name(usable[i]);
  question.text = "Which one [1]: ";
  while (usable.size() > 1) {
    const auto answer = talk_.setup.ask(question);
    if (!answer) return not_answered(talk_.setup, "a second factor (`otp_command` in [jumpserver] gives one)");
    ++question.attempt;
    const auto chosen = chosen_one(usable, answer->view());
    if (!chosen) continue;
    type_ = usable[*chosen];
    break;
  }
  return have_it_sent();
}

CoreResult<void> SecondFactor::have_it_sent() {
  if (type_ != "sms" && type_ != "email") return {};
  const auto sent = talk_.client.send(
      talk_.setup,
      {.method = "POST", .path = "/api/v1/authentication/mfa/select/", .body = {{"type", type_}}, .anonymous = true});
  if (!sent) return tl::unexpected(sent.error());
  if (!sent->ok()) return tl::unexpected(sign_in_failure(talk_.client, *sent));
  return {};
}

bool SecondFactor::may_try_again() const {
  const bool by_command = type_ == "otp" && talk_.helper.has_one_time_codes();
  return attempts_ < (by_command ? kCommandAttempts : kCodeAttempts);
}

CoreResult<std::string> SecondFactor::code(const std::string& why) {
  ++attempts_;
  if (type_ == "otp" && talk_.helper.has_one_time_codes()) {
    auto code = talk_.helper.one_time_code(talk_.setup, last_);
    if (!code) return tl::unexpected(code.error());
    last_ = code->view();
    return last_;
  }
  SshQuestion question{.kind = SshQuestion::Kind::challenge, .hop = talk_.client.host(), .attempt = attempts_};
  if (attempts_ > 1) question.instruction = "That code was not accepted" + (why.empty() ? "." : ": " + why);
  question.text = factor_name(type_) + ": ";
  const auto answer = talk_.setup.ask(question);
  if (!answer) {
    const std::string way = type_ == "otp" ? " (`otp_command` in [jumpserver] gives one)" : "";
    return not_answered(talk_.setup, "the " + factor_name(type_) + way);
  }
  return std::string(answer->view());
}

}  // namespace transport::jumpserver
