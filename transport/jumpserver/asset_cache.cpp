#include "transport/jumpserver/asset_cache.h"

#include <unistd.h>

#include "transport/jumpserver/kept_answers.h"
#include "transport/jumpserver/private_file.h"

namespace transport::jumpserver {
namespace {

constexpr std::size_t kMostList = 128u << 20;
constexpr std::size_t kMostChoices = 4u << 20;
constexpr std::size_t kChoicesKept = 2'000;

Json read_json(const std::string& path, std::size_t most) {
  const auto text = read_private_file(path, most);
  return text && *text ? parse_json(**text) : Json();
}

std::string written(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

AssetCache::AssetCache(const std::string& directory, const std::string& profile, std::string server, std::string user)
    : list_path_(directory + "/" + file_name_of(profile) + ".assets"),
      choices_path_(directory + "/" + file_name_of(profile) + ".accounts"),
      answers_path_(KeptAnswers::path_of(directory, profile)),
      owner_(std::move(user) + "@" + std::move(server)) {}

CachedAssets AssetCache::load() const {
  CachedAssets cached;
  const Json json = read_json(list_path_, kMostList);
  const Json& list = at(json, "assets");
  if (text_at(json, "owner") != owner_ || !list.is_array()) return cached;
  cached.fetched = number_at(json, "fetched", 0);
  cached.assets.reserve(list.size());
  for (const auto& entry : list) cached.assets.push_back(asset_from(entry));
  return cached;
}

base::Result<void> AssetCache::save(const std::vector<Asset>& assets) const {
  Json list = Json::array();
  for (const auto& asset : assets) list.push_back(to_json(asset));
  return write_private_file(list_path_,
                            written({{"owner", owner_}, {"fetched", std::time(nullptr)}, {"assets", std::move(list)}}));
}

std::string AssetCache::last_account(const std::string& asset_id) const {
  const Json json = read_json(choices_path_, kMostChoices);
  if (text_at(json, "owner") != owner_) return {};
  return text_at(at(json, "accounts"), asset_id.c_str());
}

base::Result<void> AssetCache::remember_account(const std::string& asset_id, const std::string& account) const {
  Json json = read_json(choices_path_, kMostChoices);
  if (text_at(json, "owner") != owner_) json = {{"owner", owner_}, {"accounts", Json::object()}};
  Json& accounts = json["accounts"];
  if (!accounts.is_object() || accounts.size() > kChoicesKept) accounts = Json::object();
  if (text_at(accounts, asset_id.c_str()) == account) return {};
  accounts[asset_id] = account;
  return write_private_file(choices_path_, written(json));
}

void AssetCache::remove() const {
  ::unlink(list_path_.c_str());
  ::unlink(choices_path_.c_str());
  ::unlink(answers_path_.c_str());
}

}  // namespace transport::jumpserver
