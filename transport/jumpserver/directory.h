#pragma once

#include <functional>
#include <string>
#include <vector>

#include "transport/jumpserver/asset.h"
#include "transport/jumpserver/core_client.h"

namespace transport::jumpserver {

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
  explicit Directory(CoreClient& client) : client_(client) {}

  /// Page by page, each given to `on_page` as it comes.
  CoreResult<std::vector<Asset>> assets(ConnectionSetup& setup, const AssetQuery& query,
                                        const std::function<void(const std::vector<Asset>&)>& on_page = {});

  /// The asset that `text` names: its id, its exact name or its exact address. When there is none, or more than one,
  /// the error says which there are.
  CoreResult<AssetDetail> find(ConnectionSetup& setup, const std::string& text);

 private:
  CoreResult<AssetDetail> detail(ConnectionSetup& setup, const std::string& id);
  CoreResult<std::vector<Asset>> page(ConnectionSetup& setup, const std::string& query, std::size_t* total = nullptr);
  CoreResult<void> load_nodes(ConnectionSetup& setup);
  void name_nodes(Asset& asset) const;

  CoreClient& client_;
  bool nodes_known_ = false;
  std::map<std::string, std::string> node_paths_;  ///< By id.
};

/// The account that `text` names: name, user name or id. The error says which there are.
base::Result<Account> choose_account(const AssetDetail& detail, const std::string& text);

/// The accounts on which a terminal can be opened.
std::vector<Account> usable_accounts(const AssetDetail& detail);

}  // namespace transport::jumpserver
