#include "transport/jumpserver/directory.h"

#include <algorithm>
#include <cctype>

#include "base/one_line.h"
#include "base/words.h"

namespace transport::jumpserver {
namespace {

// The server gives at most a thousand; smaller pages show the first ones sooner.
constexpr std::size_t kPage = 500;
constexpr std::size_t kMostAssets = 100'000;
constexpr std::size_t kChoicesShown = 10;
constexpr const char* kAssets = "/api/v1/perms/users/self/assets/";
constexpr std::chrono::seconds kAssetAge{60};

Call page_call(const std::string& query) {
  return {.path = kAssets + query};
}

Call detail_call(const std::string& id) {
  return {.path = kAssets + url_encoded(id) + "/"};
}

std::string kept_id(const std::string& text) {
  return "id of " + text;
}

std::string kept_miss(const std::string& node_id) {
  return "no node " + node_id;
}

std::string kept_detail(const std::string& id) {
  return "asset " + id;
}

bool is_uuid(const std::string& text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !std::isxdigit(static_cast<unsigned char>(text[i]))) return false;
  }
  return true;
}

/// "  web-01  10.0.0.5  /Default/Web  jms://<id>" for each.
std::string choices(const std::vector<Asset>& assets, bool with_id) {
  std::string text;
  for (std::size_t i = 0; i < std::min(assets.size(), kChoicesShown); ++i) {
    const Asset& asset = assets[i];
    text += "\n  " + base::one_line(asset.name, 80) + "  " + base::one_line(asset.address, 80);
    if (!asset.nodes.empty()) text += "  " + base::one_line(asset.nodes.front(), 80);
    if (with_id) text += "  jms://" + base::one_line(asset.id, 40);
  }
  if (assets.size() > kChoicesShown) text += "\n  … and more; see `jms assets`";
  return text;
}

tl::unexpected<CoreError> not_one(const std::string& text, const std::vector<Asset>& same,
                                  const std::vector<Asset>& similar) {
  const std::string shown = "\"" + base::one_line(text, 80) + "\"";
  if (!same.empty())
    return tl::unexpected(CoreError{CoreError::Kind::refused, 0, "ambiguous",
                                    shown + " names several assets; open one by its id:" + choices(same, true)});
  std::string message = "no asset named " + shown + " is permitted to you";
  message += similar.empty() ? "; see `jms assets`" : "; similar ones are:" + choices(similar, false);
  return tl::unexpected(CoreError{CoreError::Kind::not_found, 0, "no_asset", std::move(message)});
}

}  // namespace

Directory::Directory(CoreClient& client)
    : client_(client),
      own_kept_(std::make_unique<KeptAnswers>()),
      own_facts_(std::make_unique<SiteFacts>(client, *own_kept_)),
      facts_(*own_facts_) {}

CoreResult<Directory::Assets> Directory::read_page(const CoreResult<Json>& json, std::size_t* total) const {
  if (!json) return tl::unexpected(json.error());
  // A bare array where the server does not know paging.
  const Json& results = json->is_array() ? *json : at(*json, "results");
  if (!results.is_array())
    return tl::unexpected(
        CoreError{CoreError::Kind::not_core, 200, "",
                  client_.host() + " answers with no list of assets; is it a JumpServer of version 3 or later?"});
  Assets found;
  found.reserve(results.size());
  for (const auto& entry : results) {
    found.push_back(asset_from(entry));
    name_known_nodes(found.back());
  }
  if (total)
    *total = json->is_array() ? found.size() : static_cast<std::size_t>(std::max(0L, number_at(*json, "count", 0)));
  return found;
}

CoreResult<std::vector<Asset>> Directory::assets(ConnectionSetup& setup, const AssetQuery& query,
                                                 const std::function<void(const std::vector<Asset>&)>& on_page) {
  std::string filters = "&order=name";
  if (!query.search.empty()) filters += "&search=" + url_encoded(query.search);
  if (!query.category.empty()) filters += "&category=" + url_encoded(query.category);
  const std::size_t most = query.limit == 0 ? kMostAssets : std::min(query.limit, kMostAssets);
  Assets all;
  for (std::size_t offset = 0; all.size() < most;) {
    std::size_t total = 0;
    const std::size_t size = query.node.empty() ? std::min(kPage, most - all.size()) : kPage;
    const auto answers =
        facts_.learn(setup, {Fact::nodes},
                     {page_call("?limit=" + std::to_string(size) + "&offset=" + std::to_string(offset) + filters)});
    if (auto nodes = take_nodes(setup); !nodes) return tl::unexpected(nodes.error());
    auto got = read_page(answers.front(), &total);
    if (!got) return got;
    const std::size_t count = got->size();
    if (!query.node.empty())
      std::erase_if(*got, [&](const Asset& asset) {
        return std::none_of(asset.nodes.begin(), asset.nodes.end(),
                            [&](const std::string& path) { return path.find(query.node) != std::string::npos; });
      });
    if (on_page) on_page(*got);
    std::move(got->begin(), got->end(), std::back_inserter(all));
    offset += count;
    if (count == 0 || offset >= total) break;
  }
  return all;
}

CoreResult<FoundAsset> Directory::find(ConnectionSetup& setup, const std::string& text, Age age,
                                       std::vector<Fact> along) {
  if (std::find(along.begin(), along.end(), Fact::nodes) == along.end()) along.push_back(Fact::nodes);
  if (age == Age::of_a_minute)
    if (auto found = kept(setup, text, along)) return found;
  std::string id = text;
  std::vector<CoreResult<Json>> detail;
  if (is_uuid(text)) {
    detail = facts_.learn(setup, along, {detail_call(text)});
  } else {
    auto known = id_of(setup, text, along);
    if (!known) return tl::unexpected(known.error());
    id = *known;
    detail = facts_.learn(setup, {}, {detail_call(id)});
  }
  auto found = from_detail(setup, detail.front());
  if (!found && found.error().kind == CoreError::Kind::not_found) return not_one(text, {}, {});
  if (!found) return found;
  facts_.kept().keep(kept_id(text), id);
  facts_.kept().keep(kept_detail(id), to_json(found->detail));
  return found;
}

/// What was asked less than a minute ago, under the same name.
CoreResult<FoundAsset> Directory::kept(ConnectionSetup& setup, const std::string& text,
                                       const std::vector<Fact>& along) {
  const auto id = facts_.kept().find(kept_id(text), kAssetAge);
  auto json = id && id->is_string() ? facts_.kept().find(kept_detail(id->get<std::string>()), kAssetAge) : std::nullopt;
  if (!json || !json->is_object()) return refused("", "it is not kept");
  facts_.learn(setup, along);
  json->erase("node_paths");  // They are as old as the list of nodes, not as the asset.
  auto found = from_detail(setup, std::move(*json));
  if (found) found->old = true;
  return found;
}

CoreResult<std::string> Directory::id_of(ConnectionSetup& setup, const std::string& text,
                                         const std::vector<Fact>& along) {
  std::vector<Call> calls = {page_call("?limit=20&name=" + url_encoded(text))};
  const bool may_be_address = text.find_first_of(".:") != std::string::npos;
  if (may_be_address) calls.push_back(page_call("?limit=20&address=" + url_encoded(text)));
  auto answers = facts_.learn(setup, along, std::move(calls));
  if (auto nodes = take_nodes(setup); !nodes) return tl::unexpected(nodes.error());
  auto same = read_page(answers.front());
  if (!same) return tl::unexpected(same.error());
  // A server that does not know the filter gives everything.
  std::erase_if(*same, [&](const Asset& asset) { return base::lower_case(asset.name) != base::lower_case(text); });
  if (same->size() == 1) return same->front().id;
  if (!same->empty()) return not_one(text, *same, {});
  return id_by_address(setup, text, may_be_address ? std::optional(std::move(answers[1])) : std::nullopt);
}

/// Nothing is called so: what has that address, or else is similar. `by_address` is the answer to that, if it is here.
CoreResult<std::string> Directory::id_by_address(ConnectionSetup& setup, const std::string& text,
                                                 std::optional<CoreResult<Json>> by_address) {
  std::vector<Call> calls = {page_call("?limit=20&order=name&search=" + url_encoded(text))};
  if (!by_address) calls.push_back(page_call("?limit=20&address=" + url_encoded(text)));
  std::vector<CoreResult<Json>> answers;
  if (!by_address) {
    answers = client_.together(setup, calls);
    by_address = std::move(answers[1]);
  }
  auto same = read_page(*by_address);
  if (!same) return tl::unexpected(same.error());
  std::erase_if(*same, [&](const Asset& asset) { return base::lower_case(asset.address) != base::lower_case(text); });
  if (same->size() == 1) return same->front().id;
  if (!same->empty()) return not_one(text, *same, {});
  if (answers.empty()) answers = client_.together(setup, calls);
  const auto similar = read_page(answers.front());
  if (!similar) return tl::unexpected(similar.error());
  return not_one(text, {}, *similar);
}

CoreResult<FoundAsset> Directory::from_detail(ConnectionSetup& setup, const CoreResult<Json>& json) {
  if (!json) return tl::unexpected(json.error());
  FoundAsset found{detail_from(*json)};
  const Asset& asset = found.detail.asset;
  if (asset.id.empty())
    return tl::unexpected(
        CoreError{CoreError::Kind::not_core, 200, "",
                  client_.host() + " answers with no asset; is it a JumpServer of version 3 or later?"});
  if (!asset.active)
    return tl::unexpected(CoreError{
        CoreError::Kind::refused, 0, "inactive",
        "the asset " + base::one_line(asset.name, 80) + " is switched off in JumpServer; ask its administrator"});
  if (auto named = name_nodes(setup, found.detail.asset); !named) return tl::unexpected(named.error());
  return found;
}

/// The list names nodes by id; rules want their paths.
CoreResult<void> Directory::take_nodes(ConnectionSetup& setup) {
  auto paths = facts_.get(setup, Fact::nodes);
  if (!paths) return tl::unexpected(paths.error());
  node_paths_ = std::move(*paths);
  return {};
}

/// A node that a kept list does not have is newer than the list, unless it was missed before: who was granted an asset
/// by itself does not see its nodes.
CoreResult<void> Directory::name_nodes(ConnectionSetup& setup, Asset& asset) {
  if (auto taken = take_nodes(setup); !taken) return taken;
  const auto is_new = [&](const std::string& id) {
    return !node_paths_.contains(id) && !facts_.kept().find(kept_miss(id), kAssetAge);
  };
  if (facts_.is_old(Fact::nodes) && std::any_of(asset.node_ids.begin(), asset.node_ids.end(), is_new)) {
    facts_.forget(Fact::nodes);
    if (auto taken = take_nodes(setup); !taken) return taken;
  }
  for (const auto& id : asset.node_ids)
    if (!node_paths_.contains(id)) facts_.kept().keep(kept_miss(id), true);
  name_known_nodes(asset);
  return {};
}

void Directory::name_known_nodes(Asset& asset) const {
  for (const auto& id : asset.node_ids)
    if (std::string path = text_at(node_paths_, id.c_str()); !path.empty()) asset.nodes.push_back(std::move(path));
}

std::vector<Account> usable_accounts(const AssetDetail& detail) {
  std::vector<Account> usable;
  for (const auto& account : detail.accounts)
    if (account.may_connect && !account.anonymous()) usable.push_back(account);
  std::stable_partition(usable.begin(), usable.end(), [](const Account& account) { return account.complete(); });
  return usable;
}

base::Result<Account> choose_account(const AssetDetail& detail, const std::string& text) {
  const auto usable = usable_accounts(detail);
  std::string names;
  for (const auto& account : usable) {
    if (!text.empty() &&
        (account.name == text || account.username == text || account.id == text || account.alias == text))
      return account;
    names += (names.empty() ? "" : ", ") + base::one_line(account.label(), 80);
  }
  const std::string asset = base::one_line(detail.asset.name, 80);
  if (usable.empty()) return base::fail("no account on " + asset + " is permitted to you; ask the administrator");
  if (text.empty() && usable.size() == 1) return usable.front();
  if (text.empty())
    return base::fail(asset + " has several accounts; name one as jms://ACCOUNT@" + asset + ": " + names);
  return base::fail("no account \"" + base::one_line(text, 80) + "\" on " + asset +
                    " is permitted to you; there are: " + names);
}

}  // namespace transport::jumpserver
