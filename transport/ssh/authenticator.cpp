#include "transport/ssh/authenticator.h"

#include <libssh2.h>

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "transport/ssh/askpass_question.h"

namespace transport {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAnswerLimit(60'000);  // PAM modules may ask elsewhere and take their time.
constexpr int kMostSteps = 20;                // Factors and rounds; more is a server playing with us.
constexpr int kMostRounds = 20;
constexpr std::size_t kLongestText = 4096;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

base::Result<void> Authenticator::run() {
  setup_.tell("signing in to " + session_.settings().label() + "…");
  session_.set_wiping(true);
  Outcome outcome = ask_methods();
  for (int step = 0; outcome == Outcome::partial && step < kMostSteps; ++step) {
    const std::string method = next_method();
    if (method.empty()) break;
    outcome = try_method(method);
    if (outcome != Outcome::exhausted) continue;
    finished_.push_back(method);
    outcome = Outcome::partial;  // Others may still work.
  }
  session_.set_wiping(false);
  if (outcome == Outcome::success) return {};
  if (setup_.fiber().cancelled() || setup_.declined()) return base::fail("cancelled");
  return base::fail(end_.empty() ? summary() : end_);
}

Authenticator::Outcome Authenticator::ask_methods() {
  const std::string& user = session_.settings().user;
  char* list = nullptr;
  const int status = session_.repeat(setup_, kAnswerLimit, [&] {
    list = libssh2_userauth_list(session_.native(), user.data(), static_cast<unsigned>(user.size()));
    return list != nullptr ? 0 : libssh2_session_last_errno(session_.native());
  });
  if (list == nullptr && libssh2_userauth_authenticated(session_.native()) != 0) return Outcome::success;
  if (list == nullptr) return lost(status, "signing in");
  const auto names = base::split(list);
  methods_.assign(names.begin(), names.end());
  return Outcome::partial;
}

std::string Authenticator::next_method() const {
  const HostSettings& settings = session_.settings();
  const auto enabled = [&](const std::string& method) {
    if (method == "publickey") return settings.pubkey_authentication;
    if (settings.batch_mode) return false;
    if (method == "password") return settings.password_authentication;
    return method == "keyboard-interactive" && settings.kbd_interactive_authentication;
  };
  for (const auto& method : settings.preferred_authentications)
    if (enabled(method) && contains(methods_, method) && !contains(finished_, method)) return method;
  return "";
}

Authenticator::Outcome Authenticator::try_method(const std::string& method) {
  if (method == "publickey") return try_keys();
  return method == "password" ? try_password() : try_interactive();
}

Authenticator::Outcome Authenticator::after_refusal() {
  // libssh2 does not pass on whether a refusal was a "partial success"; only a changed list of methods tells.
  const auto before = methods_;
  const Outcome asked = ask_methods();
  if (asked != Outcome::partial) return asked;
  return methods_ == before ? Outcome::exhausted : Outcome::partial;
}

bool Authenticator::is_refusal(int status) const {
  return !session_.is_over() &&
         (status == LIBSSH2_ERROR_AUTHENTICATION_FAILED || status == LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED);
}

Authenticator::Outcome Authenticator::lost(int status, std::string_view doing) {
  end_ = session_.failure(status, doing);
  if (!tried_.empty() && status != SshSession::kCancelled) end_ += " (" + summary() + ")";
  return Outcome::over;
}

Authenticator::Outcome Authenticator::try_password() {
  const HostSettings& settings = session_.settings();
  SshQuestion question = question_about(settings, SshQuestion::Kind::password);
  question.text = settings.user + "@" + settings.host_name + "'s password: ";
  for (; question.attempt <= settings.number_of_password_prompts; ++question.attempt) {
    const auto password = setup_.ask(question);
    if (!password) return Outcome::over;
    const std::string_view text = password->view();
    const int status = session_.repeat(setup_, kAnswerLimit, [&] {
      return libssh2_userauth_password_ex(session_.native(), settings.user.data(),
                                          static_cast<unsigned>(settings.user.size()), text.data(),
                                          static_cast<unsigned>(text.size()), nullptr);
    });
    if (status == 0) return Outcome::success;
    if (status == LIBSSH2_ERROR_PASSWORD_EXPIRED) {
      end_ = "the password of " + settings.label() + " has expired; change it with: ssh " + settings.label();
      return Outcome::over;
    }
    if (!is_refusal(status)) return lost(status, "checking the password");
    tried_.push_back("password");
    const Outcome refusal = after_refusal();
    if (refusal != Outcome::exhausted) return refusal;
  }
  return Outcome::exhausted;
}

Authenticator::Outcome Authenticator::try_interactive() {
  const HostSettings& settings = session_.settings();
  for (int attempt = 1; attempt <= settings.number_of_password_prompts; ++attempt) {
    int asked = 0, rounds = 0;
    session_.on_challenge = [&](const SshSession::Challenge& challenge) {
      if (++rounds > kMostRounds) session_.abandon();
      return answer(challenge, asked);
    };
    const int status = session_.repeat(setup_, kAnswerLimit, [&] {
      return libssh2_userauth_keyboard_interactive_ex(
          session_.native(), settings.user.data(), static_cast<unsigned>(settings.user.size()),
          [](const char* name, int name_size, const char* instruction, int instruction_size, int count,
             const LIBSSH2_USERAUTH_KBDINT_PROMPT* prompts, LIBSSH2_USERAUTH_KBDINT_RESPONSE* responses,
             void** abstract) {
            auto& session = *static_cast<SshSession*>(*abstract);
            // Bytes: libssh2 1.11 has made them unsigned.
            const auto cut = [](const void* text, std::size_t size) {
              return text == nullptr ? std::string()
                                     : std::string(static_cast<const char*>(text), std::min(size, kLongestText));
            };
            SshSession::Challenge challenge;
            challenge.name = cut(name, static_cast<std::size_t>(name_size));
            challenge.instruction = cut(instruction, static_cast<std::size_t>(instruction_size));
            for (int i = 0; i < count; ++i)
              challenge.prompts.push_back({cut(prompts[i].text, prompts[i].length), prompts[i].echo != 0});
            const auto answers = session.on_challenge(challenge);
            for (std::size_t i = 0; i < answers.size(); ++i) {
              const std::string_view text = answers[i].view();
              responses[i].text = static_cast<char*>(session.allocate(text.size() + 1));
              if (responses[i].text == nullptr) continue;
              std::copy(text.begin(), text.end(), responses[i].text);
              responses[i].length = static_cast<unsigned>(text.size());
            }
          });
    });
    session_.on_challenge = nullptr;
    if (status == 0) return Outcome::success;
    if (setup_.declined()) return Outcome::over;
    if (!is_refusal(status)) return lost(status, "answering its questions");
    if (asked > 0) tried_.push_back("keyboard-interactive");
    const Outcome refusal = after_refusal();
    if (refusal != Outcome::exhausted || asked == 0) return refusal;
  }
  return Outcome::exhausted;
}

SshSession::Answers Authenticator::answer(const SshSession::Challenge& challenge, int& asked) {
  SshSession::Answers answers;
  const bool again = contains(tried_, "keyboard-interactive");
  for (const auto& prompt : challenge.prompts) {
    SshQuestion question = question_about(session_.settings(), SshQuestion::Kind::challenge);
    if (answers.empty())
      question.instruction = challenge.name + (challenge.name.empty() ? "" : "\n") + challenge.instruction;
    question.text = prompt.text;
    question.echo = prompt.echo;
    question.attempt = again ? 2 : 1;
    auto text = setup_.ask(question);
    if (!text) {
      session_.abandon();  // The call inside libssh2 must end; nothing more is asked.
      return {};
    }
    ++asked;
    answers.push_back(std::move(*text));
  }
  return answers;
}

std::string Authenticator::summary() const {
  std::string list;
  for (std::size_t i = 0; i < tried_.size();) {
    std::size_t same = i;
    while (same < tried_.size() && tried_[same] == tried_[i]) ++same;
    list += (list.empty() ? "" : ", ") + tried_[i] + (same - i > 1 ? " (" + std::to_string(same - i) + " times)" : "");
    i = same;
  }
  std::string takes;
  for (const auto& method : methods_) takes += (takes.empty() ? "" : ", ") + method;
  const std::string next =
      contains(methods_, "publickey") ? "check the user name, or name a key with -i" : "check the user name";
  return session_.settings().label() + " did not let us in; tried: " + (list.empty() ? "nothing that fits" : list) +
         "; it takes: " + takes + "; " + next;
}

}  // namespace transport
