#include "vt/bytes.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace vt {
namespace {

constexpr std::uint64_t every_byte(std::uint8_t byte) {
  return 0x0101010101010101u * byte;
}
constexpr std::uint64_t zero_bytes(std::uint64_t word) {
  return (word - every_byte(1)) & ~word;
}

/// Nonzero when one of eight bytes is a control; its lowest bit set belongs to the first such byte.
std::uint64_t controls_in(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  const std::uint64_t low = (word - every_byte(0x20)) & ~word;
  return (low | zero_bytes(word ^ every_byte(0x7F))) & every_byte(0x80);
}

}  // namespace

std::size_t run_without_controls(std::string_view bytes) {
  std::size_t at = 0;
  for (; bytes.size() - at >= 8; at += 8) {
    if (const std::uint64_t found = controls_in(bytes.data() + at))
      return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
  }
  while (at < bytes.size() && !is_control(bytes[at])) ++at;
  return at;
}

}  // namespace vt
