#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace transport {

/// What a server offers in its KEXINIT.
struct ServerOffer {
  std::vector<std::string> kex, host_keys, ciphers, macs;  ///< Ciphers and MACs of the direction to the server.
};

/// Watches the plain-text beginning of a connection from the side: the server's banner and its KEXINIT.
///
/// Passive: it is fed what arrives, in whatever pieces, and keeps at most what a sane server sends.
class HandshakeSniffer {
 public:
  void feed(std::string_view bytes);

  const std::string& banner() const { return banner_; }  ///< "SSH-2.0-OpenSSH_9.2"; empty until it came.
  const std::optional<ServerOffer>& offer() const { return offer_; }
  /// Why this is no SSH server, in a few words; empty: nothing wrong so far.
  const std::string& trouble() const { return trouble_; }
  /// What the server said instead of a banner, printable and short; empty when it said nothing.
  std::string other_words() const;
  /// Nothing more to learn.
  bool done() const { return offer_ || !trouble_.empty(); }

 private:
  bool take_banner_line();
  void take_packet();

  std::string pending_;
  std::size_t before_banner_ = 0;  ///< Bytes of other lines that came first.
  std::string first_line_;
  std::string banner_;
  std::optional<ServerOffer> offer_;
  std::string trouble_;
};

}  // namespace transport
