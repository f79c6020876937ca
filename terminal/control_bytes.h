#pragma once

namespace terminal {

// The control bytes that this room looks for, by their ASCII names.
inline constexpr char kEnq = '\x05';
inline constexpr char kBel = '\x07';
inline constexpr char kCan = '\x18';
inline constexpr char kSub = '\x1a';
inline constexpr char kEsc = '\x1b';
inline constexpr char kDel = '\x7f';

}  // namespace terminal
