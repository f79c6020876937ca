// Identity files: OpenSSH's own format, parsed here, and the PEM family, which OpenSSL reads.

#include <fcntl.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/free.h"
#include "base/unique_fd.h"
#include "transport/ssh/bcrypt_pbkdf.h"
#include "transport/ssh/config_words.h"
#include "transport/ssh/private_key.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

constexpr std::size_t kLargestFile = 256 * 1024;
constexpr std::uint32_t kMostKdfRounds = 100'000;
constexpr std::string_view kBegin = "-----BEGIN OPENSSH PRIVATE KEY-----";
constexpr std::string_view kEnd = "-----END OPENSSH PRIVATE KEY-----";

using Bio = std::unique_ptr<BIO, base::Free<BIO_free_all>>;
using Number = std::unique_ptr<BIGNUM, base::Free<BN_clear_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, base::Free<EVP_PKEY_CTX_free>>;
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, base::Free<EVP_CIPHER_CTX_free>>;
using ParamBuilder = std::unique_ptr<OSSL_PARAM_BLD, base::Free<OSSL_PARAM_BLD_free>>;
using Params = std::unique_ptr<OSSL_PARAM, base::Free<OSSL_PARAM_free>>;

struct Cipher {
  std::string_view name;
  const EVP_CIPHER* (*cipher)();
  std::size_t tag;
};
constexpr Cipher kCiphers[] = {{"aes256-ctr", EVP_aes_256_ctr, 0},
                               {"aes192-ctr", EVP_aes_192_ctr, 0},
                               {"aes128-ctr", EVP_aes_128_ctr, 0},
                               {"aes256-cbc", EVP_aes_256_cbc, 0},
                               {"aes192-cbc", EVP_aes_192_cbc, 0},
                               {"aes128-cbc", EVP_aes_128_cbc, 0},
                               {"aes256-gcm@openssh.com", EVP_aes_256_gcm, 16},
                               {"aes128-gcm@openssh.com", EVP_aes_128_gcm, 16}};

const Cipher* find_cipher(std::string_view name) {
  for (const auto& cipher : kCiphers)
    if (cipher.name == name) return &cipher;
  return nullptr;
}

/// The parts of an openssh-key-v1 container.
struct Container {
  std::string_view cipher, kdf, kdf_options, public_blob, private_part, after;
};

std::optional<Container> parse_container(std::string_view bytes) {
  static constexpr std::string_view kMagic("openssh-key-v1\0", 15);
  if (!bytes.starts_with(kMagic)) return std::nullopt;
  WireReader reader(bytes.substr(kMagic.size()));
  const auto cipher = reader.string(), kdf = reader.string(), options = reader.string();
  const auto count = reader.number();
  const auto public_blob = reader.string(), private_part = reader.string();
  if (!cipher || !kdf || !options || !count || *count != 1 || !public_blob || !private_part) return std::nullopt;
  return Container{*cipher, *kdf, *options, *public_blob, *private_part, reader.rest()};
}

WipedText decode_armour(std::string_view text) {
  WipedText clean;
  const std::size_t begin = text.find(kBegin), end = text.find(kEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return clean;
  for (const char c : text.substr(begin + kBegin.size(), end - begin - kBegin.size()))
    if (c != '\n' && c != '\r' && c != ' ') clean.text += c;
  return WipedText(base64_decode(clean.text).value_or(""));
}

base::Result<WipedText> decrypt(const Container& box, std::string_view passphrase) {
  if (box.cipher == "none") return WipedText(std::string(box.private_part));
  const Cipher* cipher = find_cipher(box.cipher);
  WireReader options(box.kdf_options);
  const auto salt = options.string();
  const auto rounds = options.number();
  if (cipher == nullptr || box.kdf != "bcrypt" || !salt || !rounds || *rounds == 0 || *rounds > kMostKdfRounds)
    return base::fail("its encryption (" + std::string(box.cipher) + ") is not supported");
  const auto key_size = static_cast<std::size_t>(EVP_CIPHER_get_key_length(cipher->cipher()));
  const auto iv_size = static_cast<std::size_t>(EVP_CIPHER_get_iv_length(cipher->cipher()));
  const auto block = static_cast<std::size_t>(EVP_CIPHER_get_block_size(cipher->cipher()));
  if (box.private_part.size() % block != 0 || box.after.size() < cipher->tag) return base::fail("it is damaged");
  const WipedText derived(bcrypt_pbkdf(passphrase, *salt, *rounds, key_size + iv_size));

  const auto* key = reinterpret_cast<const unsigned char*>(derived.text.data());
  WipedText plain(std::string(box.private_part.size() + block, '\0'));
  auto* out = reinterpret_cast<unsigned char*>(plain.text.data());
  const CipherContext context(EVP_CIPHER_CTX_new());
  int size = 0, more = 0;
  EVP_DecryptInit_ex(context.get(), cipher->cipher(), nullptr, key, key + key_size);
  EVP_CIPHER_CTX_set_padding(context.get(), 0);
  if (cipher->tag > 0)
    EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, static_cast<int>(cipher->tag),
                        const_cast<char*>(box.after.data()));
  const bool good =
      EVP_DecryptUpdate(context.get(), out, &size, reinterpret_cast<const unsigned char*>(box.private_part.data()),
                        static_cast<int>(box.private_part.size())) == 1 &&
      EVP_DecryptFinal_ex(context.get(), out + size, &more) == 1;
  plain.text.resize(good ? static_cast<std::size_t>(size + more) : 0);  // Empty: the tag did not fit the passphrase.
  return plain;
}

Number to_number(std::string_view bytes) {
  return Number(
      BN_bin2bn(reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()), nullptr));
}

EVP_PKEY* from_params(const char* algorithm, OSSL_PARAM_BLD* builder) {
  const Params params(OSSL_PARAM_BLD_to_param(builder));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, algorithm, nullptr));
  EVP_PKEY* key = nullptr;
  if (!params || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, params.get()) != 1)
    return nullptr;
  return key;
}

EVP_PKEY* read_rsa(WireReader& reader) {
  const auto n = reader.string(), e = reader.string(), d = reader.string();
  if (!n || !e || !d) return nullptr;
  const Number bn = to_number(*n), be = to_number(*e), bd = to_number(*d);
  const ParamBuilder builder(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, bn.get());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, be.get());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_D, bd.get());
  return from_params("RSA", builder.get());
}

EVP_PKEY* read_ecdsa(WireReader& reader) {
  const auto curve = reader.string(), point = reader.string(), secret = reader.string();
  if (!curve || !point || !secret) return nullptr;
  const char* group = *curve == "nistp256" ? "prime256v1" : *curve == "nistp384" ? "secp384r1" : "secp521r1";
  const Number number = to_number(*secret);
  const ParamBuilder builder(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, group, 0);
  OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point->data(), point->size());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, number.get());
  return from_params("EC", builder.get());
}

EVP_PKEY* read_ed25519(WireReader& reader) {
  const auto point = reader.string(), secret = reader.string();
  if (!point || !secret || secret->size() != 64) return nullptr;
  return EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, reinterpret_cast<const unsigned char*>(secret->data()),
                                      32);
}

base::Result<std::optional<PrivateKey>> unlock_openssh(const KeyFile& file, std::string_view passphrase) {
  const WipedText bytes = decode_armour(file.text.text);
  const auto box = parse_container(bytes.text);
  if (!box) return base::fail("it is damaged");
  auto plain = decrypt(*box, passphrase);
  if (!plain) return base::fail(plain.error());
  WireReader reader(plain->text);
  const auto check = reader.number(), again = reader.number();
  if (!check || !again || *check != *again) {
    if (file.encrypted) return std::optional<PrivateKey>();
    return base::fail("it is damaged");
  }
  const std::string_view type = reader.string().value_or("");
  EVP_PKEY* key = type == "ssh-ed25519"              ? read_ed25519(reader)
                  : type == "ssh-rsa"                ? read_rsa(reader)
                  : type.starts_with("ecdsa-sha2-n") ? read_ecdsa(reader)
                                                     : nullptr;
  if (key == nullptr) return base::fail("its type (" + std::string(type) + ") is not supported");
  auto made = PrivateKey::from_openssl(key);
  if (!made) return base::fail(made.error());
  return std::optional<PrivateKey>(std::move(*made));
}

/// What OpenSSL asks for while it reads a PEM file.
struct PassphraseSource {
  std::string_view passphrase;
  bool asked = false;
};

int give_passphrase(char* buffer, int size, int, void* user) {
  auto* source = static_cast<PassphraseSource*>(user);
  source->asked = true;
  if (source->passphrase.empty() || source->passphrase.size() > static_cast<std::size_t>(size)) return -1;
  std::memcpy(buffer, source->passphrase.data(), source->passphrase.size());
  return static_cast<int>(source->passphrase.size());
}

EVP_PKEY* read_pem(const std::string& text, PassphraseSource& source) {
  const Bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  EVP_PKEY* key = PEM_read_bio_PrivateKey(bio.get(), nullptr, give_passphrase, &source);
  ERR_clear_error();
  return key;
}

base::Result<std::optional<PrivateKey>> unlock_pem(const KeyFile& file, std::string_view passphrase) {
  PassphraseSource source{passphrase};
  EVP_PKEY* key = read_pem(file.text.text, source);
  if (key == nullptr && source.asked) return std::optional<PrivateKey>();
  if (key == nullptr) return base::fail("it is damaged or of an unknown kind");
  auto made = PrivateKey::from_openssl(key);
  if (!made) return base::fail(made.error());
  return std::optional<PrivateKey>(std::move(*made));
}

/// The key blob of "type base64 comment"; empty when it is none.
std::string public_line_blob(std::string_view line) {
  const auto words = split_config_words(trim_right(line.substr(0, line.find('\n')), kConfigSpace));
  if (!words || words->size() < 2) return "";
  const auto blob = base64_decode((*words)[1]);
  return blob && blob_type(*blob) == (*words)[0] ? *blob : "";
}

base::Result<std::optional<std::string>> read_small_file(const std::string& path, bool must_be_private) {
  const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file && (errno == ENOENT || errno == ENOTDIR)) return std::optional<std::string>();
  if (!file) return base::fail_errno("the identity file " + path + " cannot be opened");
  struct stat info {};
  fstat(file.get(), &info);
  if (!S_ISREG(info.st_mode)) return base::fail("the identity file " + path + " is not a file");
  if (must_be_private && info.st_uid == getuid() && (info.st_mode & 077) != 0)
    return base::fail("the identity file " + path + " can be read by others and is not used; run: chmod 600 " + path);
  std::string text(kLargestFile, '\0');
  const ssize_t size = ::read(file.get(), text.data(), text.size());
  if (size < 0) return base::fail_errno("the identity file " + path + " cannot be read");
  text.resize(static_cast<std::size_t>(size));
  return std::optional<std::string>(std::move(text));
}

void describe(KeyFile& file) {
  if (file.text.text.find(kBegin) != std::string::npos) {
    const WipedText bytes = decode_armour(file.text.text);
    if (const auto box = parse_container(bytes.text)) {
      file.encrypted = box->cipher != "none";
      file.public_blob = box->public_blob;
      if (file.encrypted && find_cipher(box->cipher) == nullptr)
        file.openssh_only = "a key encrypted with " + std::string(box->cipher);
    }
  } else {
    file.format = KeyFile::Format::pem;
    PassphraseSource nothing;
    if (EVP_PKEY* key = read_pem(file.text.text, nothing)) {
      if (const auto made = PrivateKey::from_openssl(key)) file.public_blob = made->public_blob();
    }
    file.encrypted = nothing.asked;
  }
}

}  // namespace

base::Result<std::optional<KeyFile>> read_key_file(const std::string& path) {
  auto text = read_small_file(path, false);
  if (!text) return base::fail(text.error());
  if (!*text) {
    // As ssh: the key itself may live in the agent only, with its public half in the file beside.
    text = read_small_file(path + ".pub", false);
    if (!text || !*text || public_line_blob(**text).empty()) return std::optional<KeyFile>();
  }
  KeyFile file;
  file.path = path;
  if (std::string blob = public_line_blob(**text); !blob.empty()) {
    file.format = KeyFile::Format::public_only;
    file.public_blob = std::move(blob);
  } else {
    text = read_small_file(path, true);
    if (!text) return base::fail(text.error());
    file.text.text = std::move(**text);
    if (file.text.text.find("PRIVATE KEY-----") == std::string::npos)
      return base::fail("the identity file " + path + " holds no private key");
    describe(file);
    if (file.public_blob.empty())
      if (auto beside = read_small_file(path + ".pub", false); beside && *beside)
        file.public_blob = public_line_blob(**beside);
  }
  file.type = blob_type(file.public_blob);
  if (file.type.starts_with("sk-")) file.openssh_only = "a security key";
  return std::optional<KeyFile>(std::move(file));
}

base::Result<std::optional<PrivateKey>> unlock(const KeyFile& file, std::string_view passphrase) {
  auto key = file.format == KeyFile::Format::openssh ? unlock_openssh(file, passphrase) : unlock_pem(file, passphrase);
  if (!key) return base::fail("the identity file " + file.path + " cannot be used: " + key.error().message);
  return key;
}

}  // namespace transport
