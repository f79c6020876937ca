#include "agent/approval_policy.h"

#include <algorithm>
#include <array>

namespace agent {
namespace {

// None of these has an option that writes or runs something; `date`, `hostname` and their like do and are left out.
constexpr std::array<std::string_view, 14> kReaders = {"cat", "df", "du",   "free", "grep",  "head",   "id",
                                                       "ls",  "ps", "stat", "tail", "uname", "uptime", "wc"};
constexpr std::array<std::string_view, 10> kSecrets = {"shadow", "id_", ".pem",   ".key",     ".env",
                                                       ".ssh",   "key", "secret", "password", "environ"};

// A byte outside this set may mean something to the shell that this check does not understand.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view(" -_./:,=+%@|").find(c) != std::string_view::npos;
}

std::string_view first_word(std::string_view stage) {
  const auto begin = stage.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  const auto end = stage.find(' ', begin);
  return stage.substr(begin, end == std::string_view::npos ? end : end - begin);
}

}  // namespace

std::string_view name_of(DecidedBy who) {
  switch (who) {
    case DecidedBy::policy:
      return "policy";
    case DecidedBy::rule:
      return "rule";
    case DecidedBy::operator_choice:
      return "operator";
  }
  return "policy";
}

Classification classify_strictly(std::string_view command) {
  if (!std::all_of(command.begin(), command.end(), is_plain))
    return {Effect::changes, "it holds characters that only a full reading of the command could judge"};
  for (const auto secret : kSecrets)
    if (command.find(secret) != std::string_view::npos)
      return {Effect::changes, "it may show a secret (\"" + std::string(secret) + "\")"};
  for (std::size_t begin = 0; begin <= command.size();) {
    auto end = std::min(command.find('|', begin), command.size());
    const auto word = first_word(command.substr(begin, end - begin));
    if (std::find(kReaders.begin(), kReaders.end(), word) == kReaders.end())
      return {Effect::changes,
              word.empty() ? "it has an empty part" : "`" + std::string(word) + "` is not known to only read"};
    begin = end + 1;
  }
  return {Effect::read_only, "only reads"};
}

Decision ModePolicy::wish(const ApprovalRequest& request) const {
  const auto effect = request.classification.effect;
  if (options_.mode == Mode::read_only && effect != Effect::read_only)
    return Decision::deny("the mode is read-only and this is not proven to only read: " +
                          request.classification.reason);
  if (request.place == Place::operator_machine && request.tainted)
    return Decision::ask("it would run on your own machine after text from a remote host was read");
  if (effect == Effect::read_only) return Decision::allow("only reads");
  if (effect == Effect::changes && options_.mode == Mode::automatic) return Decision::allow("the mode is auto");
  return Decision::ask(request.classification.reason);
}

Decision ModePolicy::decide(const ApprovalRequest& request) {
  Decision wished = wish(request);
  if (wished.kind != Decision::Kind::ask || !options_.headless) return wished;
  if (request.classification.effect == Effect::destructive)
    return Decision::deny("destructive commands never run without an operator: " + wished.reason);
  if (options_.allow_changes) return {Decision::Kind::allow, DecidedBy::rule, "allowed by --yes-changes"};
  return Decision::deny("nobody is there to ask (" + wished.reason + "); --yes-changes or --mode auto would allow it");
}

}  // namespace agent
