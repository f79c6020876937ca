#pragma once

#include <cstddef>
#include <string_view>

#include "vt/control_bytes.h"

// What the tokenizer asks of single bytes.

namespace vt {

inline constexpr char kC2 = '\xc2';  ///< The first half of every C1 control in UTF-8.

constexpr bool is_ascii(char byte) {
  return static_cast<unsigned char>(byte) < 0x80;
}
/// Behind C2: the second half of a C1 control.
constexpr bool is_c1_half(char byte) {
  return (static_cast<unsigned char>(byte) & 0xE0) == 0x80;
}
constexpr bool cancels(char byte) {
  return byte == kCan || byte == kSub;
}
constexpr bool is_intermediate(char byte) {
  return byte >= ' ' && byte <= '/';
}

/// How many bytes from the front are no controls.
std::size_t run_without_controls(std::string_view bytes);

}  // namespace vt
