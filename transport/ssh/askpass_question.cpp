#include "transport/ssh/askpass_question.h"

#include "base/words.h"

namespace transport {
namespace {

using QuestionKind = SshQuestion::Kind;

/// How ssh names the host in its questions: in small letters, or by its HostKeyAlias.
std::string asked_host(const HostSettings& hop) {
  return base::lower_case(hop.host_key_alias.empty() ? hop.host_name : hop.host_key_alias);
}

std::string password_prompt(std::string_view user, std::string_view host) {
  return std::string(user) + "@" + std::string(host) + "'s password: ";
}

/// "(user@host) " before the words of a server.
std::string challenge_prefix(const HostSettings& hop) {
  return "(" + hop.user + "@" + asked_host(hop) + ") ";
}

bool is_host_key_prompt(std::string_view prompt) {
  if (prompt == "Please type 'yes', 'no' or the fingerprint: ") return true;
  const bool begins = prompt.starts_with("The authenticity of host ") || prompt.starts_with("Warning: the ");
  return begins && (prompt.ends_with("(yes/no/[fingerprint])? ") || prompt.ends_with("(yes/no)? "));
}

}  // namespace

SshQuestion question_about(const HostSettings& hop, QuestionKind kind) {
  SshQuestion question;
  question.kind = kind;
  question.hop = hop.label();
  question.host = hop.host_name;
  question.alias = hop.alias;
  question.user = hop.user;
  return question;
}

bool is_password_prompt(std::string_view prompt, const HostSettings& hop) {
  const std::string host = asked_host(hop);
  // OpenSSH before 8.4 cut long names.
  return prompt == password_prompt(hop.user, host) ||
         prompt == password_prompt(std::string_view(hop.user).substr(0, 30), std::string_view(host).substr(0, 128));
}

SshQuestion question_of(const AskpassRequest& request, const HostSettings* hop) {
  SshQuestion question = hop == nullptr ? SshQuestion{} : question_about(*hop, QuestionKind::local);
  question.kind = QuestionKind::local;
  question.text = request.prompt;
  if (request.hint == AskpassRequest::Hint::confirm) {
    question.text += " (yes/no) ";
    question.echo = true;
    return question;
  }
  if (is_host_key_prompt(request.prompt)) {
    question.kind = QuestionKind::host_key;
    question.echo = true;
  }
  if (hop == nullptr) return question;
  if (is_password_prompt(request.prompt, *hop)) question.kind = QuestionKind::password;
  if (request.prompt.starts_with("Enter passphrase for key '")) question.kind = QuestionKind::passphrase;
  if (const std::string prefix = challenge_prefix(*hop); request.prompt.starts_with(prefix)) {
    question.kind = QuestionKind::challenge;
    question.text = request.prompt.substr(prefix.size());
  }
  return question;
}

}  // namespace transport
