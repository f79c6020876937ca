#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "transport/ssh/connection_setup.h"
#include "transport/ssh/known_hosts.h"
#include "transport/ssh/ssh_config.h"

namespace transport {

/// Decides whether the key that a host shows is the host's: by the known_hosts files, by StrictHostKeyChecking, by the
/// operator. A changed or revoked key is refused whatever the settings say.
class HostKeyCheck {
 public:
  /// Reads the known_hosts files.
  static base::Result<HostKeyCheck> prepare(const HostSettings& settings);

  /// The key types known for the host, to be asked for first.
  std::vector<std::string> known_types() const { return known_.key_types(name_); }
  /// "file line 3" when only a certificate authority vouches for the host; empty otherwise.
  std::string cert_authority() const;

  base::Result<void> accept(ConnectionSetup& setup, const std::string& key_blob) const;

 private:
  HostKeyCheck(const HostSettings& settings, KnownHosts known);

  base::Result<void> accept_unknown(ConnectionSetup& setup, const std::string& key_blob,
                                    const std::vector<KnownHostLine>& others) const;
  base::Result<void> ask(ConnectionSetup& setup, const std::string& key_blob,
                         const std::vector<KnownHostLine>& others) const;
  base::Result<void> keep(ConnectionSetup& setup, const std::string& key_blob) const;
  base::Error changed(const std::string& key_blob, const std::vector<KnownHostLine>& lines) const;

  HostSettings settings_;
  KnownHosts known_;
  std::string name_;
  std::string bare_name_;
};

}  // namespace transport
