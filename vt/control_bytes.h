#pragma once

namespace vt {

// The control bytes that readers of terminal output look for, by their ASCII names.
inline constexpr char kEnq = '\x05';
inline constexpr char kBel = '\x07';
inline constexpr char kCan = '\x18';
inline constexpr char kSub = '\x1a';
inline constexpr char kEsc = '\x1b';
inline constexpr char kDel = '\x7f';

/// A byte that is a control by itself, whatever the encoding.
constexpr bool is_control(char byte) {
  return static_cast<unsigned char>(byte) < 0x20 || byte == kDel;
}

}  // namespace vt
