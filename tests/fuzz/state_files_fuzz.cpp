// What jms keeps for the operator: targets, questions, the sign-in to a JumpServer and its list of assets. Whatever
// stands in those files is read or passed over, and what was read is kept the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "app/assistant/question_history.h"
#include "app/target/recent_targets.h"
#include "tests/fuzz/input_dir.h"
#include "tests/fuzz/known_good.h"
#include "transport/jumpserver/asset_cache.h"
#include "transport/jumpserver/credentials.h"
#include "transport/jumpserver/kept_answers.h"

namespace {

const fuzz::InputDir& dir() {
  static const fuzz::InputDir made;
  return made;
}

app::QuestionHistory history() {
  return {dir().path(), [](std::string_view text) { return std::string(text); }};
}

transport::jumpserver::AssetCache assets() {
  return {dir().path(), "lab", "https://jump", "ops"};
}

transport::jumpserver::CredentialFile sign_in() {
  return {dir().path(), "lab"};
}

void check_jumpserver(std::string_view bytes) {
  for (const char* name : {"lab.json", "lab.assets", "lab.accounts", "lab.kept"}) dir().write(name, bytes);
  // Nobody can write a file that belongs to this sign-in without knowing it.
  const transport::jumpserver::Credentials whose{.server = "https://jump"};
  transport::jumpserver::KeptAnswers answers(dir().path(), "lab", whose);
  if (answers.find("nodes", std::chrono::hours(1))) std::abort();
  const auto credentials = sign_in().load();
  if (credentials) {
    const bool kept = sign_in().save(*credentials).has_value();
    const auto again = sign_in().load();
    if (!kept || !again || again->server != credentials->server || again->web.id != credentials->web.id) std::abort();
  }
  const auto cached = assets().load();
  if (!cached.assets.empty()) {
    const bool kept = assets().save(cached.assets).has_value();
    if (!kept || assets().load().assets.size() != cached.assets.size()) std::abort();
  }
  if (!assets().remember_account("a1", "root") || assets().last_account("a1") != "root") std::abort();
}

}  // namespace

bool fuzz::takes_known_good() {
  dir().write("targets", "{\"target\":\"db1\",\"port\":2222,\"identities\":[\"/k\"]}\n");
  dir().write("history", "\"why is it slow?\"\n");
  const auto targets = app::RecentTargets(dir().path()).load();
  dir().write("lab.json", R"({"server":"https://jump","session":"s1"})");
  dir().write("lab.assets", R"({"owner":"ops@https://jump","fetched":5,"assets":[{"id":"a1"}]})");
  const auto credentials = sign_in().load();
  if (!credentials || credentials->web.id != "s1" || assets().load().assets.size() != 1) return false;
  const auto questions = history().load();
  return targets.size() == 1 && targets[0].port == 2222 && targets[0].identities.size() == 1 && questions &&
         questions->size() == 1;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  dir().write("targets", bytes);
  dir().write("history", bytes);
  const app::RecentTargets recent(dir().path());
  const auto targets = recent.load();
  if (targets.size() > app::RecentTargets::kMost) std::abort();
  if (!targets.empty() && recent.add(targets.back())) {
    const auto again = recent.load();
    if (again.empty() || again.front().target != targets.back().target) std::abort();
  }
  const auto questions = history().load();
  if (!questions) std::abort();
  check_jumpserver(bytes);
  return 0;
}
