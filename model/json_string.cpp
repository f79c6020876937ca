#include "model/json_string.h"

#include <cstdint>
#include <cstring>

#include "base/utf8.h"

namespace model {
namespace {

/// Where the next quote, backslash or control character is; the end when there is none.
const char* find_special(const char* at, const char* end) {
  // Eight bytes at a time: a byte of `word` minus 0x20 borrows when it was a control character; the two comparisons are
  // the usual "has a zero byte" trick. Bytes above 0x7F may alarm in vain; the loop below looks closely.
  constexpr std::uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
  while (end - at >= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    const std::uint64_t quote = word ^ (ones * '"'), slash = word ^ (ones * '\\');
    const std::uint64_t hit = ((word - ones * 0x20) & ~word) | ((quote - ones) & ~quote) | ((slash - ones) & ~slash);
    if ((hit & highs) != 0) break;
    at += 8;
  }
  while (at < end && *at != '"' && *at != '\\' && static_cast<unsigned char>(*at) >= 0x20) ++at;
  return at;
}

/// The four hex digits at `at`, or -1.
int hex4(const char* at, const char* end) {
  if (end - at < 4) return -1;
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at[i];
    if (c >= '0' && c <= '9')
      value = value * 16 + (c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value * 16 + (c - 'a' + 10);
    else if (c >= 'A' && c <= 'F')
      value = value * 16 + (c - 'A' + 10);
    else
      return -1;
  }
  return value;
}

/// Undoes `\uXXXX` (the digits at `at`), with its second half where one is due. Returns what follows, or nullptr.
const char* read_unicode(const char* at, const char* end, std::string& out) {
  const int unit = hex4(at, end);
  if (unit < 0 || (unit >= 0xDC00 && unit < 0xE000)) return nullptr;
  at += 4;
  char32_t code = static_cast<char32_t>(unit);
  if (unit >= 0xD800 && unit < 0xDC00) {
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u') return nullptr;
    const int low = hex4(at + 2, end);
    if (low < 0xDC00 || low >= 0xE000) return nullptr;
    code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<char32_t>(low) - 0xDC00);
    at += 6;
  }
  base::append_utf8(out, code);
  return at;
}

/// Undoes the escape whose letter is at `at`. Returns what follows, or nullptr.
const char* read_escape(const char* at, const char* end, std::string& out) {
  if (at == end) return nullptr;
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  if (*at == 'u') return read_unicode(at + 1, end, out);
  const std::size_t which = letters.find(*at);
  if (which == std::string_view::npos) return nullptr;
  out.push_back(meanings[which]);
  return at + 1;
}

}  // namespace

bool read_json_string(std::string_view text, std::string& scratch, JsonString& out) {
  const char* const end = text.data() + text.size();
  const char* plain = text.data();  // the beginning of what has no escapes
  const char* at = find_special(plain, end);
  bool escaped = false;
  while (at != end && *at == '\\') {
    if (!escaped) scratch.clear();
    escaped = true;
    scratch.append(plain, at);
    at = read_escape(at + 1, end, scratch);
    if (!at) return false;
    plain = at;
    at = find_special(plain, end);
  }
  if (at == end || *at != '"') return false;
  if (escaped) scratch.append(plain, at);
  out.value = escaped ? std::string_view(scratch) : std::string_view(plain, static_cast<std::size_t>(at - plain));
  out.rest = {at + 1, static_cast<std::size_t>(end - at - 1)};
  return true;
}

}  // namespace model
