#pragma once

namespace terminal {

/// The character that an ASCII byte stands for in the set with this final byte ('B' ASCII, '0' line drawing, 'A' UK).
/// Sets we do not know read as ASCII.
char32_t map_charset(char set, unsigned char byte);

}  // namespace terminal
