// bcrypt_pbkdf is PBKDF2 in spirit, with bcrypt over SHA-512 digests as its function and the output bytes dealt out
// like cards. Blowfish starts from the digits of pi; they are worked out here rather than carried along as a table.

#include "transport/ssh/bcrypt_pbkdf.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace transport {
namespace {

constexpr std::size_t kSubkeys = 18;
constexpr std::size_t kBoxes = 4 * 256;
constexpr std::size_t kPiWords = kSubkeys + kBoxes;
constexpr std::size_t kGuardWords = 2;  // Rounding errors stay in these.
constexpr std::size_t kBlock = 32;

/// A number 0 <= x < 16 as one whole word and a fraction, most significant first.
using Fixed = std::vector<std::uint32_t>;

void divide(Fixed& number, std::uint32_t by) {
  std::uint64_t rest = 0;
  for (auto& word : number) {
    const std::uint64_t value = rest << 32 | word;
    word = static_cast<std::uint32_t>(value / by);
    rest = value % by;
  }
}

void add(Fixed& to, const Fixed& what) {
  std::uint64_t carry = 0;
  for (std::size_t i = to.size(); i-- > 0;) {
    carry += static_cast<std::uint64_t>(to[i]) + what[i];
    to[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
}

void subtract(Fixed& from, const Fixed& what) {
  std::int64_t borrow = 0;
  for (std::size_t i = from.size(); i-- > 0;) {
    const std::int64_t value = static_cast<std::int64_t>(from[i]) - what[i] + borrow;
    from[i] = static_cast<std::uint32_t>(value);
    borrow = value < 0 ? -1 : 0;
  }
}

/// factor * atan(1 / x) by its series.
Fixed scaled_arctan(std::uint32_t factor, std::uint32_t x) {
  Fixed power(1 + kPiWords + kGuardWords);
  power[0] = factor;
  divide(power, x);
  Fixed sum = power;
  for (std::uint32_t n = 3; std::any_of(power.begin(), power.end(), [](auto word) { return word != 0; }); n += 2) {
    divide(power, x * x);
    Fixed term = power;
    divide(term, n);
    n % 4 == 3 ? subtract(sum, term) : add(sum, term);
  }
  return sum;
}

/// Blowfish's state: subkeys and boxes in one row, as the digits of pi fill them.
struct Blowfish {
  std::array<std::uint32_t, kPiWords> words;

  void encipher(std::uint32_t& left, std::uint32_t& right) const {
    const std::uint32_t* box = words.data() + kSubkeys;
    const auto mix = [box](std::uint32_t x) {
      return ((box[x >> 24] + box[256 + (x >> 16 & 0xff)]) ^ box[512 + (x >> 8 & 0xff)]) + box[768 + (x & 0xff)];
    };
    left ^= words[0];
    for (std::size_t round = 1; round <= 16; round += 2) {
      right ^= mix(left) ^ words[round];
      left ^= mix(right) ^ words[round + 1];
    }
    std::swap(left, right);
    left ^= words[17];
  }
};

const Blowfish& pi_state() {
  static const Blowfish kState = [] {
    // Machin: pi = 16 atan(1/5) - 4 atan(1/239).
    Fixed pi = scaled_arctan(16, 5);
    subtract(pi, scaled_arctan(4, 239));
    Blowfish state{};
    std::copy_n(pi.begin() + 1, kPiWords, state.words.begin());
    return state;
  }();
  return kState;
}

using Digest = std::array<unsigned char, SHA512_DIGEST_LENGTH>;
using DigestWords = std::array<std::uint32_t, SHA512_DIGEST_LENGTH / 4>;

Digest sha512(const void* data, std::size_t size) {
  Digest digest;
  SHA512(static_cast<const unsigned char*>(data), size, digest.data());
  return digest;
}

DigestWords to_words(const Digest& digest) {
  DigestWords words;
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = static_cast<std::uint32_t>(digest[4 * i]) << 24 | static_cast<std::uint32_t>(digest[4 * i + 1]) << 16 |
               static_cast<std::uint32_t>(digest[4 * i + 2]) << 8 | digest[4 * i + 3];
  return words;
}

/// The costly key schedule; `salt` may be null.
void expand(Blowfish& state, const DigestWords* salt, const DigestWords& key) {
  for (std::size_t i = 0; i < kSubkeys; ++i) state.words[i] ^= key[i % key.size()];
  std::uint32_t left = 0, right = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < kPiWords; i += 2) {
    if (salt != nullptr) {
      left ^= (*salt)[next++ % salt->size()];
      right ^= (*salt)[next++ % salt->size()];
    }
    state.encipher(left, right);
    state.words[i] = left;
    state.words[i + 1] = right;
  }
}

std::array<unsigned char, kBlock> bcrypt_hash(const DigestWords& password, const DigestWords& salt) {
  Blowfish state = pi_state();
  expand(state, &salt, password);
  for (int i = 0; i < 64; ++i) {
    expand(state, nullptr, salt);
    expand(state, nullptr, password);
  }
  static constexpr char kText[] = "OxychromaticBlowfishSwatDynamite";
  std::array<unsigned char, kBlock> out;
  for (std::size_t at = 0; at < kBlock; at += 8) {
    std::uint32_t halves[2] = {};
    for (std::size_t i = 0; i < 8; ++i) halves[i / 4] = halves[i / 4] << 8 | static_cast<unsigned char>(kText[at + i]);
    for (int i = 0; i < 64; ++i) state.encipher(halves[0], halves[1]);
    for (std::size_t i = 0; i < 8; ++i) out[at + i] = static_cast<unsigned char>(halves[i / 4] >> 8 * (i % 4));
  }
  OPENSSL_cleanse(&state, sizeof state);
  return out;
}

}  // namespace

std::string bcrypt_pbkdf(std::string_view passphrase, std::string_view salt, std::uint32_t rounds, std::size_t size) {
  const DigestWords password = to_words(sha512(passphrase.data(), passphrase.size()));
  std::string key(size, '\0');
  const std::size_t stride = (size + kBlock - 1) / kBlock;
  for (std::size_t count = 0; count < stride; ++count) {
    std::string counted(salt);
    for (const int shift : {24, 16, 8, 0}) counted += static_cast<char>((count + 1) >> shift & 0xff);
    auto part = bcrypt_hash(password, to_words(sha512(counted.data(), counted.size())));
    auto sum = part;
    for (std::uint32_t round = 1; round < rounds; ++round) {
      part = bcrypt_hash(password, to_words(sha512(part.data(), part.size())));
      for (std::size_t i = 0; i < kBlock; ++i) sum[i] = static_cast<unsigned char>(sum[i] ^ part[i]);
    }
    for (std::size_t i = 0; i < kBlock && i * stride + count < size; ++i)
      key[i * stride + count] = static_cast<char>(sum[i]);
  }
  return key;
}

}  // namespace transport
