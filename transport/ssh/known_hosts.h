#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace transport {

/// One line of a known_hosts file.
struct KnownHostLine {
  enum class Marker { none, revoked, cert_authority };
  std::string file;
  int line = 0;
  Marker marker = Marker::none;
  std::string names;  ///< A comma list of patterns, or one hash.
  std::string key_type;
  std::string key_blob;

  std::string place() const { return file + " line " + std::to_string(line); }
};

/// What the files say about the key that a host showed.
struct HostKeyVerdict {
  enum class Kind {
    match,
    unknown,         ///< Nothing known about a key of this type.
    changed,         ///< Another key of this type is known: `lines` holds it.
    revoked,         ///< This very key is marked @revoked.
    cert_authority,  ///< Only a certificate authority vouches for the host, which we cannot check.
  };
  Kind kind = Kind::unknown;
  std::vector<KnownHostLine> lines;  ///< The ones that decided; for `unknown`, keys of other types if there are any.
};

/// The known_hosts files of one connection, read whole; our own matcher since libssh2's misses markers, patterns and
/// more. Lines that make no sense are skipped, as ssh skips them; a file that cannot be read is an error, never empty.
class KnownHosts {
 public:
  /// Files that do not exist are left out.
  static base::Result<KnownHosts> load(const std::vector<std::string>& files);

  void add_text(const std::string& file, std::string_view text);

  /// Every line about that host, in the order of the files. `name` is what known_host_name() gives.
  std::vector<KnownHostLine> lines_for(const std::string& name) const;

  /// `bare_name` is the host without its port: a key known there is accepted for other ports too, as ssh does. Empty
  /// when there is no port or the name is an alias.
  HostKeyVerdict check(const std::string& name, const std::string& bare_name, std::string_view key_blob) const;

  /// The key types known for that host, so that the server can be asked for one of them.
  std::vector<std::string> key_types(const std::string& name) const;

 private:
  std::vector<KnownHostLine> lines_;  ///< key_blob still holds base64 here.
};

/// "host", or "[host]:2222" when the port is not 22; in lower case.
std::string known_host_name(std::string_view host, int port);

enum class HashNames { no, yes };

/// Adds a line in one write (O_APPEND), with the directory (0700) and the file (0600) made when missing.
base::Result<void> append_known_host(const std::string& file, const std::string& name, std::string_view key_blob,
                                     HashNames hash);

}  // namespace transport
