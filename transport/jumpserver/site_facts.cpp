#include "transport/jumpserver/site_facts.h"

#include <utility>

namespace transport::jumpserver {
namespace {

using Kind = CoreError::Kind;
using std::chrono::seconds;

/// Under which name a fact is kept, where it is asked for, and how long it counts.
struct FactSource {
  const char* name;
  Call call;
  seconds age;
};

const FactSource& source_of(Fact fact) {
  static const FactSource nodes{"nodes", {.path = "/api/v1/perms/users/self/nodes/"}, seconds(60)},
      methods{"methods", {.path = "/api/v1/terminal/components/connect-methods/?os=linux"}, seconds(24 * 3600)},
      settings{"settings", {.path = "/api/v1/settings/public/"}, seconds(24 * 3600)},
      tickets{"tickets",
              {.method = "POST", .path = kConnectTicketPath, .body = {{"token_id", ""}, {"org_id", ""}}},
              seconds(24 * 3600)};
  switch (fact) {
    case Fact::nodes:
      return nodes;
    case Fact::methods:
      return methods;
    case Fact::settings:
      return settings;
    case Fact::tickets:
      break;
  }
  return tickets;
}

Json node_paths(const Json& answer) {
  Json paths = Json::object();
  const Json& nodes = answer.is_array() ? answer : at(answer, "results");
  if (nodes.is_array())
    for (const auto& node : nodes) paths[text_at(node, "id")] = text_at(node, "full_value");
  return paths;
}

Json method_names(const Json& answer) {
  Json names = Json::object();
  if (!answer.is_object()) return names;
  for (const auto& [protocol, methods] : answer.items()) {
    Json& list = names[protocol] = Json::array();
    if (methods.is_array())
      for (const auto& method : methods) list.push_back(text_at(method, "value"));
  }
  return names;
}

Json used_settings(const Json& answer) {
  return {{"idle", number_at(answer, "SECURITY_MAX_IDLE_TIME", 0)},
          {"longest", number_at(answer, "SECURITY_MAX_SESSION_TIME", 0)},
          {"ssh", flag_at(answer, "TERMINAL_KOKO_SSH_ENABLED", true)}};
}

/// Only a koko that knows tickets gives one, or misses the token that it is for; an older one has no such page.
CoreResult<Json> gives_tickets(const CoreResult<Json>& answer) {
  if (answer) return Json(!text_at(*answer, "ticket").empty());
  const CoreError& error = answer.error();
  if (error.kind == Kind::refused) return Json(true);
  if (error.kind == Kind::not_found || error.kind == Kind::not_core) return Json(false);
  return tl::unexpected(error);
}

CoreResult<Json> reduced(Fact fact, CoreResult<Json> answer) {
  if (fact == Fact::tickets) return gives_tickets(answer);
  if (fact == Fact::nodes) {
    // Without the paths "node:" rules could not hold; only a server that has no such list may go without.
    if (!answer && answer.error().kind == Kind::not_found) return Json(Json::object());
    return answer ? CoreResult<Json>(node_paths(*answer)) : answer;
  }
  if (!answer) return answer;
  return fact == Fact::methods ? method_names(*answer) : used_settings(*answer);
}

}  // namespace

bool SiteFacts::knows(Fact fact) {
  if (known_.contains(fact)) return true;
  const FactSource& source = source_of(fact);
  auto kept = kept_.find(source.name, source.age);
  if (!kept) return false;
  known_.insert_or_assign(fact, Known{std::move(*kept), true});
  return true;
}

void SiteFacts::take(Fact fact, CoreResult<Json> answer) {
  auto value = reduced(fact, std::move(answer));
  if (value) kept_.keep(source_of(fact).name, *value);
  known_.insert_or_assign(fact, Known{std::move(value), false});
}

std::vector<CoreResult<Json>> SiteFacts::learn(ConnectionSetup& setup, const std::vector<Fact>& facts,
                                               std::vector<Call> calls) {
  const auto own = static_cast<std::ptrdiff_t>(calls.size());
  std::vector<Fact> missing;
  for (const Fact fact : facts)
    if (!knows(fact)) missing.push_back(fact);
  for (const Fact fact : missing) calls.push_back(source_of(fact).call);
  if (calls.empty()) return {};
  auto answers = client_.together(setup, calls);
  for (std::size_t i = 0; i < missing.size(); ++i)
    take(missing[i], std::move(answers[static_cast<std::size_t>(own) + i]));
  answers.erase(answers.begin() + own, answers.end());
  return answers;
}

CoreResult<Json> SiteFacts::get(ConnectionSetup& setup, Fact fact) {
  learn(setup, {fact});
  Known& known = known_.at(fact);
  if (known.value) return known.value;
  auto failed = std::move(known.value);
  known_.erase(fact);  // The next to want it asks again.
  return failed;
}

bool SiteFacts::is_old(Fact fact) const {
  const auto known = known_.find(fact);
  return known != known_.end() && known->second.old;
}

void SiteFacts::forget(Fact fact) {
  known_.erase(fact);
  kept_.forget(source_of(fact).name);
}

}  // namespace transport::jumpserver
