#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/support/temp_dir.h"

namespace support {

/// koko's SSH port, as far as a token login sees it: user `JMS-<token id>`, password `<token value>`, good for the
/// first try of any kind and never again; then a real shell on a real pty. Its only host key is an RSA key of 2048
/// bits, and it signs with SHA-2 only, as seen (less the SHA-1 that nobody may use). A process of its own, on libssh.
class KokoSshServer {
 public:
  /// Tokens are files `<id>` holding `<value>` in `tokens`; using one up removes its file.
  explicit KokoSshServer(const std::string& tokens);
  ~KokoSshServer();

  int port() const { return port_; }
  /// "[127.0.0.1]:port ssh-… …" for a known_hosts file.
  std::string known_hosts_line() const;
  /// What clients tried, one line each: "password JMS-… yes", "publickey JMS-…".
  std::vector<std::string> attempts() const;
  /// Cuts the connection of a client, as a network would.
  void drop_client() const;

 private:
  TempDir dir_;
  int port_;
  pid_t pid_;
};

}  // namespace support
