#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transport/jumpserver/asset.h"
#include "transport/jumpserver/core_client.h"
#include "transport/jumpserver/site_facts.h"

namespace transport::jumpserver {

/// An asset that was looked up.
struct FoundAsset {
  AssetDetail detail;
  bool old = false;  ///< Up to a minute old: a refusal may come from that.
};

/// What to look for among the permitted assets.
struct AssetQuery {
  std::string search;     ///< In name, address and comment, by the server's rules: comma and blank AND, `|` OR.
  std::string category;   ///< "host", "database" …
  std::string node;       ///< A node's full path, or a part of it.
  std::size_t limit = 0;  ///< 0: all.
};

/// The assets, nodes and accounts of the user, as core tells them. Called from inside a fiber.
class Directory {
 public:
  /// How old an answer may be: a minute at most, or fresh from core.
  enum class Age { of_a_minute, new_only };

  /// Asks core for everything.
  explicit Directory(CoreClient& client);
  Directory(CoreClient& client, SiteFacts& facts) : client_(client), facts_(facts) {}

  /// Page by page, each given to `on_page` as it comes.
  CoreResult<std::vector<Asset>> assets(ConnectionSetup& setup, const AssetQuery& query,
                                        const std::function<void(const std::vector<Asset>&)>& on_page = {});

  /// The asset that `text` names: its id, its exact name or its exact address. When there is none, or more than one,
  /// the error says which there are. Facts that will be wanted next are asked for `along` the way.
  CoreResult<FoundAsset> find(ConnectionSetup& setup, const std::string& text, Age age = Age::new_only,
                              std::vector<Fact> along = {});

 private:
  using Assets = std::vector<Asset>;

  CoreResult<FoundAsset> kept(ConnectionSetup& setup, const std::string& text, const std::vector<Fact>& along);
  CoreResult<std::string> id_of(ConnectionSetup& setup, const std::string& text, const std::vector<Fact>& along);
  CoreResult<std::string> id_by_address(ConnectionSetup& setup, const std::string& text,
                                        std::optional<CoreResult<Json>> same);
  CoreResult<FoundAsset> from_detail(ConnectionSetup& setup, const CoreResult<Json>& json);
  CoreResult<Assets> read_page(const CoreResult<Json>& json, std::size_t* total = nullptr) const;
  CoreResult<void> take_nodes(ConnectionSetup& setup);
  CoreResult<void> name_nodes(ConnectionSetup& setup, Asset& asset);
  void name_known_nodes(Asset& asset) const;

  CoreClient& client_;
  std::unique_ptr<KeptAnswers> own_kept_;
  std::unique_ptr<SiteFacts> own_facts_;
  SiteFacts& facts_;
  Json node_paths_;  ///< By id.
};

/// The account that `text` names: name, user name or id. The error says which there are.
base::Result<Account> choose_account(const AssetDetail& detail, const std::string& text);

/// The accounts on which a terminal can be opened, first those that ask nothing.
std::vector<Account> usable_accounts(const AssetDetail& detail);

}  // namespace transport::jumpserver
