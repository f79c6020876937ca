#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "transport/ssh/secret.h"

struct evp_pkey_st;

namespace transport {

/// A private key that can sign.
class PrivateKey {
 public:
  /// "ssh-ed25519", "ecdsa-sha2-nistp256" (384, 521) or "ssh-rsa".
  const std::string& type() const { return type_; }
  const std::string& public_blob() const { return public_blob_; }

  /// The bare signature, without the name of the algorithm. `algorithm` chooses the digest of an RSA key
  /// ("rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"); other keys have only one.
  base::Result<std::string> sign(std::string_view algorithm, std::string_view data) const;

  /// Takes over an OpenSSL key. Fails for kinds that SSH has no name for.
  static base::Result<PrivateKey> from_openssl(evp_pkey_st* key);

 private:
  struct FreeKey {
    void operator()(evp_pkey_st* key) const noexcept;
  };
  std::unique_ptr<evp_pkey_st, FreeKey> key_;
  std::string type_;
  std::string public_blob_;
};

/// An identity file as it was found, not unlocked yet.
struct KeyFile {
  enum class Format { openssh, pem, public_only };
  std::string path;
  Format format = Format::openssh;
  bool encrypted = false;
  std::string type;          ///< Empty when only the passphrase would tell.
  std::string public_blob;   ///< Likewise.
  std::string openssh_only;  ///< Why only the system's ssh can use it ("a security key"); empty: we can.
  WipedText text;
};

/// Reads an identity file, and the .pub beside it when the file itself does not show its public half. Nothing when
/// there is no such file. A file that others may read is refused, as ssh refuses it.
base::Result<std::optional<KeyFile>> read_key_file(const std::string& path);

/// Gives the key. Nothing when the passphrase is wrong. Derives a key when the file is encrypted: takes time, touches
/// nothing but its arguments, so it may run beside the loop.
base::Result<std::optional<PrivateKey>> unlock(const KeyFile& file, std::string_view passphrase);

}  // namespace transport
