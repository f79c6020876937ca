#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace transport {

/// The key derivation of OpenSSH's private-key format, which OpenSSL does not have. Takes time by design.
std::string bcrypt_pbkdf(std::string_view passphrase, std::string_view salt, std::uint32_t rounds, std::size_t size);

}  // namespace transport
