#include "base/utf8.h"

#include <utf8proc.h>

namespace base {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// Length of the sequence a lead byte announces, 0 when it cannot lead one.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;  // continuation bytes and the overlong C0, C1
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 0;
}

/// Whether `second` may follow `lead`: this is where overlong forms, surrogates and values above U+10FFFF are caught.
bool second_byte_fits(unsigned char lead, unsigned char second) {
  if ((second & 0xC0) != 0x80) return false;
  switch (lead) {
    case 0xE0:
      return second >= 0xA0;
    case 0xED:
      return second < 0xA0;
    case 0xF0:
      return second >= 0x90;
    case 0xF4:
      return second < 0x90;
    default:
      return true;
  }
}

/// Vowels and finals of conjoining Hangul: drawn into the syllable that a leading consonant began.
bool is_joining_jamo(char32_t code) {
  return (code >= 0x1160 && code <= 0x11FF) || (code >= 0xD7B0 && code <= 0xD7FF);
}

/// Where utf8proc says 0 but terminals (and glibc's wcwidth) move the cursor: spacing marks of Indic scripts, Arabic
/// number signs and line separators.
bool takes_a_cell_all_the_same(int category, char32_t code) {
  if (category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP)
    return true;
  if (category != UTF8PROC_CATEGORY_CF) return false;
  return (code >= 0x600 && code <= 0x605) || code == 0x6DD || code == 0x70F || code == 0x890 || code == 0x891 ||
         code == 0x8E2;
}

}  // namespace

Utf8Char decode_utf8(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = sequence_length(lead);
  if (length == 1) return {lead, 1};
  if (length == 0 || text.size() < length) return {kReplacement, 1};
  if (!second_byte_fits(lead, static_cast<unsigned char>(text[1]))) return {kReplacement, 1};
  char32_t code = lead & (0xFF >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return {kReplacement, 1};
    code = (code << 6) | (byte & 0x3F);
  }
  return {code, length};
}

std::size_t incomplete_utf8_tail(std::string_view text) {
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    if (sequence_length(byte) <= back) return 0;
    if (back > 1 && !second_byte_fits(byte, static_cast<unsigned char>(text[text.size() - back + 1]))) return 0;
    return back;
  }
  return 0;
}

void append_utf8(std::string& out, char32_t code) {
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
    return;
  }
  utf8proc_uint8_t bytes[4];
  const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
}

int char_width(char32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return 0;
  if (code < 0x300) return 1;
  if (is_joining_jamo(code)) return 0;
  const utf8proc_property_t* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(code));
  if (property->charwidth != 0) return static_cast<int>(property->charwidth);
  return takes_a_cell_all_the_same(property->category, code) ? 1 : 0;
}

int text_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const auto [code, bytes] = decode_utf8(text);
    width += char_width(code);
    text.remove_prefix(bytes);
  }
  return width;
}

std::string_view cut_utf8(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

}  // namespace base
