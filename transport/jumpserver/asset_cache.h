#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "base/result.h"
#include "transport/jumpserver/asset.h"

namespace transport::jumpserver {

/// The permitted assets as they were last seen, kept on disk so that a picker is there at once.
struct CachedAssets {
  std::time_t fetched = 0;  ///< 0: there is no list.
  std::vector<Asset> assets;
};

/// The files of one profile: its list of assets and the account last taken on each. Mode 0600: names of machines are
/// nobody else's business. A list of another server or user counts as none.
class AssetCache {
 public:
  AssetCache(const std::string& directory, const std::string& profile, std::string server, std::string user);

  CachedAssets load() const;
  base::Result<void> save(const std::vector<Asset>& assets) const;

  /// The account last used on the asset; "" when none was.
  std::string last_account(const std::string& asset_id) const;
  base::Result<void> remember_account(const std::string& asset_id, const std::string& account) const;

  /// Forgets all of it, and what else was kept of the server's answers.
  void remove() const;

 private:
  std::string list_path_, choices_path_, answers_path_;
  std::string owner_;  ///< "user@server"
};

}  // namespace transport::jumpserver
