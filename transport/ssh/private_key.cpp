#include "transport/ssh/private_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>

#include <array>
#include <utility>
#include <vector>

#include "base/free.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

using Number = std::unique_ptr<BIGNUM, base::Free<BN_clear_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, base::Free<EVP_MD_CTX_free>>;
using EcdsaSignature = std::unique_ptr<ECDSA_SIG, base::Free<ECDSA_SIG_free>>;

struct Curve {
  std::string_view ssh_name;
  std::string_view openssl_name;
  const EVP_MD* (*digest)();
};
constexpr Curve kCurves[] = {{"nistp256", "prime256v1", EVP_sha256},
                             {"nistp384", "secp384r1", EVP_sha384},
                             {"nistp521", "secp521r1", EVP_sha512}};

std::string to_bytes(const BIGNUM* number) {
  std::string bytes(static_cast<std::size_t>(BN_num_bytes(number)), '\0');
  BN_bn2bin(number, reinterpret_cast<unsigned char*>(bytes.data()));
  return bytes;
}

std::string number_of(EVP_PKEY* key, const char* name) {
  BIGNUM* number = nullptr;
  EVP_PKEY_get_bn_param(key, name, &number);
  const Number owner(number);
  return number == nullptr ? "" : to_bytes(number);
}

const Curve* curve_of(EVP_PKEY* key) {
  std::array<char, 80> name{};
  std::size_t size = 0;
  if (EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, name.data(), name.size(), &size) != 1)
    return nullptr;
  for (const auto& curve : kCurves)
    if (curve.openssl_name == name.data()) return &curve;
  return nullptr;
}

std::string octets_of(EVP_PKEY* key, const char* name) {
  std::size_t size = 0;
  EVP_PKEY_get_octet_string_param(key, name, nullptr, 0, &size);
  std::string bytes(size, '\0');
  EVP_PKEY_get_octet_string_param(key, name, reinterpret_cast<unsigned char*>(bytes.data()), size, &size);
  bytes.resize(size);
  return bytes;
}

/// ECDSA signatures leave OpenSSL as DER and travel as two integers.
std::string der_to_mpints(const std::string& der) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(der.data());
  const EcdsaSignature parsed(d2i_ECDSA_SIG(nullptr, &bytes, static_cast<long>(der.size())));
  std::string out;
  if (!parsed) return out;
  put_mpint(out, to_bytes(ECDSA_SIG_get0_r(parsed.get())));
  put_mpint(out, to_bytes(ECDSA_SIG_get0_s(parsed.get())));
  return out;
}

const EVP_MD* digest_for(EVP_PKEY* key, std::string_view algorithm) {
  if (EVP_PKEY_is_a(key, "EC")) return curve_of(key)->digest();
  if (!EVP_PKEY_is_a(key, "RSA")) return nullptr;  // Ed25519 brings its own.
  return algorithm == "rsa-sha2-512" ? EVP_sha512() : algorithm == "rsa-sha2-256" ? EVP_sha256() : EVP_sha1();
}

}  // namespace

void PrivateKey::FreeKey::operator()(evp_pkey_st* key) const noexcept {
  EVP_PKEY_free(key);
}

base::Result<PrivateKey> PrivateKey::from_openssl(evp_pkey_st* key) {
  PrivateKey made;
  made.key_.reset(key);
  std::string& blob = made.public_blob_;
  if (EVP_PKEY_is_a(key, "ED25519")) {
    made.type_ = "ssh-ed25519";
    put_string(blob, made.type_);
    put_string(blob, octets_of(key, OSSL_PKEY_PARAM_PUB_KEY));
  } else if (EVP_PKEY_is_a(key, "RSA")) {
    made.type_ = "ssh-rsa";
    put_string(blob, made.type_);
    put_mpint(blob, number_of(key, OSSL_PKEY_PARAM_RSA_E));
    put_mpint(blob, number_of(key, OSSL_PKEY_PARAM_RSA_N));
  } else if (const Curve* curve = EVP_PKEY_is_a(key, "EC") ? curve_of(key) : nullptr) {
    made.type_ = "ecdsa-sha2-" + std::string(curve->ssh_name);
    put_string(blob, made.type_);
    put_string(blob, curve->ssh_name);
    put_string(blob, octets_of(key, OSSL_PKEY_PARAM_PUB_KEY));
  } else {
    return base::fail("it is of a kind that SSH does not use; make one with ssh-keygen -t ed25519");
  }
  return made;
}

base::Result<std::string> PrivateKey::sign(std::string_view algorithm, std::string_view data) const {
  const DigestContext context(EVP_MD_CTX_new());
  const auto* bytes = reinterpret_cast<const unsigned char*>(data.data());
  std::size_t size = 0;
  if (EVP_DigestSignInit(context.get(), nullptr, digest_for(key_.get(), algorithm), nullptr, key_.get()) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &size, bytes, data.size()) != 1)
    return base::fail("the key cannot sign");
  std::string signature(size, '\0');
  if (EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes, data.size()) != 1)
    return base::fail("the key cannot sign");
  signature.resize(size);
  return EVP_PKEY_is_a(key_.get(), "EC") ? der_to_mpints(signature) : signature;
}

}  // namespace transport
