#include "terminal/charset.h"

namespace terminal {
namespace {

/// DEC special graphics, from '_' to '~'.
constexpr char32_t kGraphics[] =
    U"\u00A0\u25C6\u2592\u2409\u240C\u240D\u240A\u00B0\u00B1\u2424\u240B\u2518\u2510\u250C\u2514\u253C"
    U"\u23BA\u23BB\u2500\u23BC\u23BD\u251C\u2524\u2534\u252C\u2502\u2264\u2265\u03C0\u2260\u00A3\u00B7";

}  // namespace

char32_t map_charset(char set, unsigned char byte) {
  if (set == '0' && byte >= '_' && byte <= '~') return kGraphics[byte - '_'];
  if (set == 'A' && byte == '#') return U'\u00A3';
  return byte;
}

}  // namespace terminal
