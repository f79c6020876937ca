#include "transport/ssh/wire.h"

#include <openssl/evp.h>

#include <array>

#include "base/base64.h"
#include "transport/ssh/config_words.h"

namespace transport {
namespace {

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

}  // namespace

std::optional<std::string_view> WireReader::take(std::size_t size) {
  if (size > rest_.size()) return std::nullopt;
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::optional<std::uint8_t> WireReader::byte() {
  const auto one = take(1);
  if (!one) return std::nullopt;
  return static_cast<std::uint8_t>(one->front());
}

std::optional<std::uint32_t> WireReader::number() {
  const auto four = take(4);
  if (!four) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : *four) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

std::optional<std::string_view> WireReader::string() {
  const auto size = number();
  if (!size) return std::nullopt;
  return take(*size);
}

void put_number(std::string& out, std::uint32_t value) {
  for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(value >> shift & 0xff);
}

void put_string(std::string& out, std::string_view bytes) {
  put_number(out, static_cast<std::uint32_t>(bytes.size()));
  out += bytes;
}

void put_mpint(std::string& out, std::string_view big_endian) {
  while (!big_endian.empty() && big_endian.front() == '\0') big_endian.remove_prefix(1);
  const bool top_bit = !big_endian.empty() && (big_endian.front() & 0x80) != 0;
  put_number(out, static_cast<std::uint32_t>(big_endian.size() + (top_bit ? 1 : 0)));
  if (top_bit) out += '\0';
  out += big_endian;
}

std::string_view blob_type(std::string_view blob) {
  return WireReader(blob).string().value_or(std::string_view());
}

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text.substr(0, text.size() - padding)) {
    const int digit = base64_digit(c);
    if (digit < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes += static_cast<char>(bits >> held & 0xff);
    }
  }
  return bytes;
}

std::string fingerprint(std::string_view key_blob) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  EVP_Digest(key_blob.data(), key_blob.size(), digest.data(), &size, EVP_sha256(), nullptr);
  const std::string text = base::base64_encode({reinterpret_cast<const char*>(digest.data()), size});
  return "SHA256:" + std::string(trim_right(text, "="));
}

std::string key_type_label(std::string_view type) {
  if (type == "ssh-ed25519") return "ED25519";
  if (type.starts_with("ecdsa-sha2-")) return "ECDSA";
  if (type == "ssh-rsa") return "RSA";
  if (type == "ssh-dss") return "DSA";
  if (type == "sk-ssh-ed25519@openssh.com") return "ED25519-SK";
  if (type == "sk-ecdsa-sha2-nistp256@openssh.com") return "ECDSA-SK";
  return std::string(type);
}

}  // namespace transport
