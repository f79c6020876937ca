#include "app/target/ssh_answers.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "base/words.h"
#include "transport/ssh/pattern.h"

namespace app {
namespace {

using transport::SshQuestion;
using QuestionKind = SshQuestion::Kind;

constexpr int kMostCodes = 2;  // One that ran out on the way is worth another try.

/// One name of the hop must fit and none may be excluded.
bool fits(const SshCredentials& credentials, const SshQuestion& question) {
  using transport::ListVerdict;
  bool found = false;
  for (const std::string& name : {question.host, question.alias}) {
    const auto verdict =
        transport::match_pattern_list(base::lower_case(name), credentials.host, transport::PatternCase::lower);
    if (verdict == ListVerdict::negated) return false;
    found = found || verdict == ListVerdict::match;
  }
  if (!found || credentials.user.empty()) return found;
  return transport::match_pattern_list(question.user, credentials.user, transport::PatternCase::keep) ==
         ListVerdict::match;
}

}  // namespace

bool asks_for_password(const std::string& prompt) {
  const auto says = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](auto word) { return base::mentions(prompt, word); });
  };
  if (says({"one-time", "one time", "otp", "code", "token", "验证码", "动态"})) return false;
  return says({"password", "passwort", "mot de passe", "contraseña", "密码"});
}

transport::SshPrompter& SshAnswers::before(transport::SshPrompter& whoever) {
  outer_ = &whoever;
  answered_.clear();
  running_.reset();
  return *this;
}

void SshAnswers::ask(const SshQuestion& question, Reply reply) {
  const auto source = source_for(question);
  if (!source) return ask_person(question, "", std::move(reply));
  int& answered = answered_[source->setting + "\n" + question.hop + "\n" + question.text];
  if (answered >= source->most)
    return ask_person(question, question.hop + " did not accept what `" + source->setting + "` of ssh.credentials gave",
                      std::move(reply));
  ++answered;
  run(*source, question, std::move(reply));
}

std::optional<SshAnswers::Source> SshAnswers::source_for(const SshQuestion& question) const {
  if (question.host.empty() || question.kind == QuestionKind::host_key || question.kind == QuestionKind::local)
    return std::nullopt;
  const bool password = question.kind == QuestionKind::password ||
                        (question.kind == QuestionKind::challenge && asks_for_password(question.text));
  for (const auto& one : credentials_) {
    if (!fits(one, question)) continue;
    Source source{"code_command", {one.code_command, ""}, kMostCodes};
    if (password) source = {"password_command", one.password, 1};
    if (question.kind == QuestionKind::passphrase) source = {"passphrase_command", one.passphrase, 1};
    if (source.secret.command.empty() && !source.secret.file.empty())
      source.setting = question.kind == QuestionKind::passphrase ? "passphrase_file" : "password_file";
    if (!source.secret.empty()) return source;
  }
  return std::nullopt;
}

void SshAnswers::run(const Source& source, const SshQuestion& question, Reply reply) {
  const auto failed = [this, question, reply, setting = source.setting](const std::string& why) {
    ask_person(question, "`" + setting + "` of ssh.credentials " + why, reply);
  };
  if (source.secret.command.empty()) {
    auto text = read_secret(source.secret, "ssh.credentials");
    if (!text) return failed("cannot be used: " + text.error().message);
    const transport::WipedText kept(std::move(*text));
    return reply(transport::Secret(kept.text));
  }
  auto started = SecretCommand::start(loop_, source.secret.command, [this, failed, reply](auto outcome) {
    // The command is in the middle of this call.
    loop_.defer([gone = std::shared_ptr<SecretCommand>(std::move(running_))] {});
    if (!outcome) return failed(outcome.error().message);
    reply(std::move(*outcome));
  });
  if (!started) return failed("cannot be run: " + started.error().message);
  running_ = std::move(*started);
}

void SshAnswers::ask_person(SshQuestion question, const std::string& note, Reply reply) {
  question.note = note;
  outer_asked_ = true;
  outer_->ask(question, std::move(reply));
}

void SshAnswers::withdraw() {
  running_.reset();
  if (std::exchange(outer_asked_, false) && outer_ != nullptr) outer_->withdraw();
}

}  // namespace app
