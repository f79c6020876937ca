#pragma once

#include <string>
#include <vector>

#include "transport/jumpserver/json.h"

namespace transport::jumpserver {

/// What an asset is, as far as it decides how a terminal on it behaves.
enum class AssetKind { host, device, database, other };

/// One thing the user may reach.
struct Asset {
  std::string id, name, address;
  std::string platform;        ///< "Linux", "Huawei"
  std::string category, type;  ///< "host", "linux"
  std::string org_id, org_name;
  std::string comment;
  std::vector<std::string> nodes;     ///< Full paths, "/Default/Web".
  std::vector<std::string> node_ids;  ///< The same as ids, as the list has them.
  std::vector<std::string> labels;    ///< "env=prod"
  bool active = true;

  AssetKind kind() const;
};

/// An account on an asset that the user may take.
struct Account {
  std::string alias;  ///< What is sent back; opaque.
  std::string id, name, username;
  bool has_secret = true;
  bool may_connect = true;

  bool manual() const { return alias == "@INPUT"; }    ///< The operator gives name and password.
  bool same_name() const { return alias == "@USER"; }  ///< As the operator is called.
  bool anonymous() const { return alias == "@ANON"; }  ///< For web pages only.
  /// "root", or "web root (root)" when they differ.
  std::string label() const;
};

/// An asset with what may be done on it.
struct AssetDetail {
  Asset asset;
  std::vector<std::string> protocols;  ///< "ssh", "telnet"
  std::vector<Account> accounts;
};

Asset asset_from(const Json& json);
AssetDetail detail_from(const Json& json);

/// For the files on disk; asset_from() and detail_from() read it.
Json to_json(const Asset& asset);
Json to_json(const AssetDetail& detail);

}  // namespace transport::jumpserver
