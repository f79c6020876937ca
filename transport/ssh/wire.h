#pragma once

// The few shapes of RFC 4251 that keys, agents and KEXINIT are written in.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace transport {

/// Reads numbers and strings off the front of untrusted bytes; every read can fail, none goes past the end.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  std::optional<std::uint8_t> byte();
  std::optional<std::uint32_t> number();
  std::optional<std::string_view> string();
  std::optional<std::string_view> take(std::size_t size);
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

void put_number(std::string& out, std::uint32_t value);
void put_string(std::string& out, std::string_view bytes);
/// A non-negative big-endian integer as mpint: no leading zeros, one added when the top bit is set.
void put_mpint(std::string& out, std::string_view big_endian);

/// The name a public key or signature begins with ("ssh-ed25519"); empty when there is none.
std::string_view blob_type(std::string_view blob);

/// Nothing when it is no base64. Padding is required, as ssh requires it.
std::optional<std::string> base64_decode(std::string_view text);

/// "SHA256:…" as ssh-keygen -l prints it.
std::string fingerprint(std::string_view key_blob);

/// What people call a key of that type: "ED25519", "ECDSA", "RSA".
std::string key_type_label(std::string_view type);

}  // namespace transport
