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
constexpr const char* kAssets = "perms/users/self/assets/";

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

CoreResult<std::vector<Asset>> Directory::page(ConnectionSetup& setup, const std::string& query, std::size_t* total) {
  const auto json = client_.get(setup, kAssets + query);
  if (!json) return tl::unexpected(json.error());
  // A bare array where the server does not know paging.
  const Json& results = json->is_array() ? *json : at(*json, "results");
  if (!results.is_array())
    return tl::unexpected(
        CoreError{CoreError::Kind::not_core, 200, "",
                  client_.host() + " answers with no list of assets; is it a JumpServer of version 3 or later?"});
  std::vector<Asset> found;
  found.reserve(results.size());
  for (const auto& entry : results) {
    found.push_back(asset_from(entry));
    name_nodes(found.back());
  }
  if (total)
    *total = json->is_array() ? found.size() : static_cast<std::size_t>(std::max(0L, number_at(*json, "count", 0)));
  return found;
}

CoreResult<std::vector<Asset>> Directory::assets(ConnectionSetup& setup, const AssetQuery& query,
                                                 const std::function<void(const std::vector<Asset>&)>& on_page) {
  if (auto loaded = load_nodes(setup); !loaded) return tl::unexpected(loaded.error());
  std::string filters = "&order=name";
  if (!query.search.empty()) filters += "&search=" + url_encoded(query.search);
  if (!query.category.empty()) filters += "&category=" + url_encoded(query.category);
  const std::size_t most = query.limit == 0 ? kMostAssets : std::min(query.limit, kMostAssets);
  std::vector<Asset> all;
  for (std::size_t offset = 0; all.size() < most;) {
    std::size_t total = 0;
    const std::size_t size = query.node.empty() ? std::min(kPage, most - all.size()) : kPage;
    auto got = page(setup, "?limit=" + std::to_string(size) + "&offset=" + std::to_string(offset) + filters, &total);
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

CoreResult<AssetDetail> Directory::find(ConnectionSetup& setup, const std::string& text) {
  if (auto loaded = load_nodes(setup); !loaded) return tl::unexpected(loaded.error());
  if (is_uuid(text)) {
    auto found = detail(setup, text);
    if (!found && found.error().kind == CoreError::Kind::not_found) return not_one(text, {}, {});
    return found;
  }
  for (const char* field : {"name", "address"}) {
    auto same = page(setup, "?limit=20&" + std::string(field) + "=" + url_encoded(text));
    if (!same) return tl::unexpected(same.error());
    // A server that does not know the filter gives everything.
    std::erase_if(*same, [&](const Asset& asset) {
      return base::lower_case(field == std::string("name") ? asset.name : asset.address) != base::lower_case(text);
    });
    if (same->size() == 1) return detail(setup, same->front().id);
    if (!same->empty()) return not_one(text, *same, {});
  }
  const auto similar = page(setup, "?limit=20&order=name&search=" + url_encoded(text));
  if (!similar) return tl::unexpected(similar.error());
  return not_one(text, {}, *similar);
}

CoreResult<AssetDetail> Directory::detail(ConnectionSetup& setup, const std::string& id) {
  const auto json = client_.get(setup, kAssets + url_encoded(id) + "/");
  if (!json) return tl::unexpected(json.error());
  AssetDetail found = detail_from(*json);
  name_nodes(found.asset);
  if (found.asset.id.empty())
    return tl::unexpected(
        CoreError{CoreError::Kind::not_core, 200, "",
                  client_.host() + " answers with no asset; is it a JumpServer of version 3 or later?"});
  if (!found.asset.active)
    return tl::unexpected(CoreError{
        CoreError::Kind::refused, 0, "inactive",
        "the asset " + base::one_line(found.asset.name, 80) + " is switched off in JumpServer; ask its administrator"});
  return found;
}

/// The list names nodes by id; rules want their paths.
CoreResult<void> Directory::load_nodes(ConnectionSetup& setup) {
  if (nodes_known_) return {};
  const auto json = client_.get(setup, "perms/users/self/nodes/");
  if (!json) {
    // Without the paths "node:" rules could not hold; only a server that has no such list may go without.
    if (json.error().kind != CoreError::Kind::not_found) return tl::unexpected(json.error());
  } else if (const Json& nodes = json->is_array() ? *json : at(*json, "results"); nodes.is_array()) {
    for (const auto& node : nodes) node_paths_[text_at(node, "id")] = text_at(node, "full_value");
  }
  nodes_known_ = true;
  return {};
}

void Directory::name_nodes(Asset& asset) const {
  for (const auto& id : asset.node_ids)
    if (const auto path = node_paths_.find(id); path != node_paths_.end()) asset.nodes.push_back(path->second);
}

std::vector<Account> usable_accounts(const AssetDetail& detail) {
  std::vector<Account> usable;
  for (const auto& account : detail.accounts)
    if (account.may_connect && !account.anonymous()) usable.push_back(account);
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
