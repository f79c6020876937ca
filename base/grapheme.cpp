#include "base/grapheme.h"

#include <utf8proc.h>

#include "base/utf8.h"

namespace base {
namespace {

constexpr char32_t kJoiner = 0x200D;

std::size_t character_begin(std::string_view text, std::size_t to) {
  std::size_t at = to - 1;
  while (at > 0 && to - at < 4 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

/// A place before `to` where a grapheme certainly begins, so that long texts need not be read from their start. Looking
/// at two characters is enough, except that flags are counted in pairs (never taken as a break here) and that what
/// follows a joiner depends on what stands before it.
std::size_t safe_start(std::string_view text, std::size_t to) {
  if (to == 0) return 0;
  std::size_t at = character_begin(text, to);
  while (at > 0) {
    const std::size_t before = character_begin(text, at);
    const char32_t left = decode_utf8(text.substr(before)).code;
    const char32_t right = decode_utf8(text.substr(at)).code;
    if (left != kJoiner &&
        utf8proc_grapheme_break(static_cast<utf8proc_int32_t>(left), static_cast<utf8proc_int32_t>(right))) {
      break;
    }
    at = before;
  }
  return at;
}

}  // namespace

std::size_t grapheme_end(std::string_view text, std::size_t from) {
  if (from >= text.size()) return text.size();
  auto [code, bytes] = decode_utf8(text.substr(from));
  std::size_t end = from + bytes;
  utf8proc_int32_t state = 0;
  while (end < text.size()) {
    const auto next = decode_utf8(text.substr(end));
    if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(code), static_cast<utf8proc_int32_t>(next.code),
                                         &state)) {
      break;
    }
    code = next.code;
    end += next.bytes;
  }
  return end;
}

std::size_t grapheme_begin(std::string_view text, std::size_t to) {
  to = to < text.size() ? to : text.size();
  std::size_t begin = safe_start(text, to);
  for (std::size_t end = grapheme_end(text, begin); end < to; end = grapheme_end(text, begin)) begin = end;
  return begin;
}

}  // namespace base
