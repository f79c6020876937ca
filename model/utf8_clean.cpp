#include "model/utf8_clean.h"

#include <cstdint>
#include <cstring>

#include "base/utf8.h"

namespace model {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// How much of a character is there and whether it is a whole one.
struct Part {
  std::size_t bytes = 1;
  bool whole = false;
};

/// Looks at the character that begins at `at`; a malformed one gets the length of its longest valid beginning.
Part next_part(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, true};
  const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0) return {1, false};
  unsigned char low = 0x80, high = 0xBF;  // the second byte is where overlong forms and surrogates show
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i >= text.size() || byte(i) < low || byte(i) > high) return {i, false};
    low = 0x80;
    high = 0xBF;
  }
  return {length, true};
}

/// Where plain ASCII ends, from `at` on.
std::size_t skip_ascii(std::string_view text, std::size_t at) {
  while (at + 8 <= text.size()) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    if ((word & 0x8080808080808080u) != 0) break;
    at += 8;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

/// Where the first malformed part begins; the size when there is none.
std::size_t first_bad(std::string_view text) {
  std::size_t at = skip_ascii(text, 0);
  while (at < text.size()) {
    const Part part = next_part(text, at);
    if (!part.whole) return at;
    at += part.bytes;
    if (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) at = skip_ascii(text, at);
  }
  return at;
}

bool is_space(char32_t code) {
  return (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20) || code == 0x85 || code == 0xA0 ||
         code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F ||
         code == 0x205F || code == 0x3000;
}

}  // namespace

bool is_utf8(std::string_view text) {
  return first_bad(text) == text.size();
}

std::string_view valid_utf8(std::string_view text, std::string& scratch) {
  std::size_t bad = first_bad(text);
  if (bad == text.size()) return text;
  scratch.clear();
  while (!text.empty()) {
    scratch.append(text.substr(0, bad));
    text.remove_prefix(bad);
    if (text.empty()) break;
    scratch.append(kReplacement);
    text.remove_prefix(next_part(text, 0).bytes);
    bad = first_bad(text);
  }
  return scratch;
}

bool is_blank(std::string_view text) {
  while (!text.empty()) {
    const auto [code, bytes] = base::decode_utf8(text);
    if (!is_space(code)) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace model
