// An identity file may hold anything. The first byte chooses what the rest is: the file itself, or the binary inside of
// OpenSSH's format or of PKCS #8, which gets its armour here, since chance would not find base64 that makes sense.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/base64.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/known_good.h"
#include "transport/ssh/private_key.h"
#include "transport/ssh/wire.h"

namespace {

using transport::KeyFile;
using transport::put_string;
using transport::WireReader;

constexpr std::string_view kMagic("openssh-key-v1\0", 15);

std::string armoured(std::string_view bytes, const std::string& kind) {
  return "-----BEGIN " + kind + "-----\n" + base::base64_encode(bytes) + "\n-----END " + kind + "-----\n";
}

/// True when the passphrase is stirred twice at most: each time takes milliseconds, and a file may ask for a hundred
/// thousand of them.
bool quick(std::string_view container) {
  WireReader reader(container.substr(std::min(kMagic.size(), container.size())));
  if (!reader.string() || !reader.string()) return true;
  WireReader options(reader.string().value_or(""));
  options.string();
  return options.number().value_or(0) <= 2;
}

/// The key of a file with no passphrase or with "open"; the latter only where that is known to end soon.
std::optional<transport::PrivateKey> opened(const std::string& text, bool may_decrypt) {
  const fuzz::InputFile input(text);
  const auto file = transport::read_key_file(input.path());
  if (!file || !*file) return std::nullopt;
  if ((*file)->encrypted && (*file)->format == KeyFile::Format::openssh && !may_decrypt) return std::nullopt;
  auto key = transport::unlock(**file, may_decrypt ? "open" : "");
  return key ? std::move(*key) : std::nullopt;
}

}  // namespace

bool fuzz::takes_known_good() {
  std::string secret(8, 'c');  // The same number twice.
  for (const auto& field : {std::string("ssh-ed25519"), std::string(32, 'p'), std::string(64, 's')})
    put_string(secret, field);
  std::string container(kMagic);
  for (const char* field : {"none", "none", ""}) put_string(container, field);
  transport::put_number(container, 1);
  put_string(container, "public");
  put_string(container, secret);
  const auto key = opened(armoured(container, "OPENSSH PRIVATE KEY"), false);
  return key && key->type() == "ssh-ed25519" && key->sign("", "data");
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto key = data[0] % 3 == 0   ? opened(std::string(bytes), false)
                   : data[0] % 3 == 1 ? opened(armoured(bytes, "OPENSSH PRIVATE KEY"), quick(bytes))
                                      : opened(armoured(bytes, "PRIVATE KEY"), false);
  if (key && (key->public_blob().empty() || transport::blob_type(key->public_blob()) != key->type())) std::abort();
  return 0;
}
