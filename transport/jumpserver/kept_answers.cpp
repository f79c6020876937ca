#include "transport/jumpserver/kept_answers.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "transport/jumpserver/private_file.h"

namespace transport::jumpserver {
namespace {

constexpr std::size_t kMostKept = 16u << 20;
constexpr std::size_t kMostAnswers = 256;
constexpr long kLongestKept = 24 * 3600;

/// Differs as soon as the server, the user or any credential does: what one may see is no other's business, and an
/// access key of the environment does not say whose it is.
std::string owner_of(const Credentials& who) {
  std::string text;
  for (const auto& part : {who.server, who.user, who.org, who.key.id, who.token.value, who.web.id})
    text += std::to_string(part.size()) + ":" + part;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string written;
  for (unsigned i = 0; i < size; ++i) (written += kDigits[digest[i] >> 4]) += kDigits[digest[i] & 15];
  return written;
}

}  // namespace

std::string KeptAnswers::path_of(const std::string& directory, const std::string& profile) {
  return directory + "/" + file_name_of(profile) + ".kept";
}

KeptAnswers::KeptAnswers(const std::string& directory, const std::string& profile, const Credentials& whose)
    : path_(path_of(directory, profile)), whose_(&whose) {}

void KeptAnswers::load() {
  if (path_.empty()) return;
  const std::string owner = owner_of(*whose_);
  if (std::exchange(owner_, owner) == owner) return;
  answers_.clear();
  const auto text = read_private_file(path_, kMostKept);
  if (!text || !*text) return;
  const Json json = parse_json(**text);
  const Json& answers = at(json, "answers");
  if (text_at(json, "owner") != owner_ || !answers.is_object()) return;
  for (const auto& [what, answer] : answers.items())
    if (answer.is_object() && answers_.size() < kMostAnswers)
      answers_[what] = {std::max(0L, number_at(answer, "at", 0)), at(answer, "answer")};
}

std::optional<Json> KeptAnswers::find(const std::string& what, std::chrono::seconds most_age) {
  load();
  const auto found = answers_.find(what);
  if (found == answers_.end()) return std::nullopt;
  // One from the future was written by another clock.
  const long age = std::time(nullptr) - found->second.at;
  if (age < 0 || age > most_age.count()) return std::nullopt;
  return found->second.json;
}

void KeptAnswers::keep(const std::string& what, Json answer) {
  load();
  changed_ = true;
  answers_[what] = {std::time(nullptr), std::move(answer)};
}

void KeptAnswers::forget(const std::string& what) {
  load();
  changed_ = answers_.erase(what) > 0 || changed_;
}

void KeptAnswers::drop_old() {
  const long now = std::time(nullptr);
  std::erase_if(answers_, [&](const auto& one) { return one.second.at > now || now - one.second.at > kLongestKept; });
  while (answers_.size() > kMostAnswers) {
    auto oldest = answers_.begin();
    for (auto one = answers_.begin(); one != answers_.end(); ++one)
      if (one->second.at < oldest->second.at) oldest = one;
    answers_.erase(oldest);
  }
}

void KeptAnswers::save() {
  load();
  if (!std::exchange(changed_, false) || path_.empty()) return;
  drop_old();
  Json answers = Json::object();
  for (const auto& [what, answer] : answers_) answers[what] = {{"at", answer.at}, {"answer", answer.json}};
  const std::string text =
      Json({{"owner", owner_}, {"answers", std::move(answers)}}).dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() <= kMostKept) (void)write_private_file(path_, text + "\n");
}

}  // namespace transport::jumpserver
