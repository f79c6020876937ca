#include "safety/unusual_text.h"

#include <cstdio>

#include "base/utf8.h"

namespace safety {
namespace {

bool in(char32_t code, char32_t first, char32_t last) {
  return code >= first && code <= last;
}

bool is_ascii_letter(char32_t code) {
  return in(code, 'a', 'z') || in(code, 'A', 'Z');
}

/// Letters of other scripts that look like Latin ones, and styled copies of them.
bool is_look_alike(char32_t code) {
  return in(code, 0x0370, 0x052F) ||    // Greek, Cyrillic
         in(code, 0x0530, 0x058F) ||    // Armenian
         in(code, 0x13A0, 0x13FF) ||    // Cherokee
         in(code, 0x2C80, 0x2CFF) ||    // Coptic
         in(code, 0xA4D0, 0xA4FF) ||    // Lisu
         in(code, 0xFF01, 0xFF5E) ||    // full-width ASCII
         in(code, 0x1D400, 0x1D7FF) ||  // mathematical letters
         in(code, 0x2100, 0x214F) || in(code, 0x0250, 0x02AF) || in(code, 0x1D00, 0x1D7F) || in(code, 0x24B6, 0x24E9);
}

/// Signs that look like the shell's own: dashes, slashes, quotes, semicolons, pipes.
bool is_look_alike_sign(char32_t code) {
  return in(code, 0x2010, 0x2015) || code == 0x2212 || code == 0x2044 || code == 0x2215 || code == 0x037E ||
         code == 0x01C0 || code == 0x2223 || code == 0xFE58 || code == 0xFE63;
}

std::string named(std::string_view what, char32_t code, std::size_t at) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, " (U+%04X at byte %zu)", static_cast<unsigned>(code), at);
  return "the command holds " + std::string(what) + buffer;
}

}  // namespace

bool is_hidden_character(char32_t code) {
  return code == 0x00AD || code == 0x034F || code == 0x061C || in(code, 0x115F, 0x1160) || in(code, 0x17B4, 0x17B5) ||
         in(code, 0x180B, 0x180F) || in(code, 0x200B, 0x200F) || in(code, 0x2028, 0x202E) || in(code, 0x2060, 0x206F) ||
         code == 0x3164 || in(code, 0xFE00, 0xFE0F) || code == 0xFEFF || code == 0xFFA0 || in(code, 0xFFF0, 0xFFFB) ||
         in(code, 0x1BCA0, 0x1BCA3) || in(code, 0x1D173, 0x1D17A) || in(code, 0xE0000, 0xE0FFF);
}

bool is_unusual_space(char32_t code) {
  return code == 0x00A0 || code == 0x1680 || in(code, 0x2000, 0x200A) || code == 0x202F || code == 0x205F ||
         code == 0x3000;
}

std::string refusal_of(std::string_view command) {
  bool latin = false;  // the word so far has ASCII letters
  bool word_start = true;
  char32_t look_alike = 0;
  std::size_t look_alike_at = 0;
  for (std::size_t at = 0; at < command.size();) {
    const auto byte = static_cast<unsigned char>(command[at]);
    if (byte < 0x80) {
      if ((byte < 0x20 && byte != '\n') || byte == 0x7F) return named("a control character", byte, at);
      const bool separates = byte == ' ' || byte == '\n' || byte == '/' || byte == ';' || byte == '|' || byte == '&' ||
                             byte == '\'' || byte == '"';
      if (!is_ascii_letter(byte)) {
        latin = false;
        look_alike = 0;
      }
      latin = latin || is_ascii_letter(byte);
      if (latin && look_alike != 0) return named("a letter that looks like another one", look_alike, look_alike_at);
      word_start = separates;
      ++at;
      continue;
    }
    const auto decoded = base::decode_utf8(command.substr(at));
    if (decoded.code == U'\uFFFD' && decoded.bytes == 1) return named("a byte that is not UTF-8", byte, at);
    if (in(decoded.code, 0x80, 0x9F)) return named("a control character", decoded.code, at);
    if (is_hidden_character(decoded.code)) return named("an invisible or reordering character", decoded.code, at);
    if (is_unusual_space(decoded.code)) return named("an unusual space", decoded.code, at);
    if (word_start && is_look_alike_sign(decoded.code))
      return named("a sign that looks like another one", decoded.code, at);
    if (is_look_alike(decoded.code) && look_alike == 0) {
      look_alike = decoded.code;
      look_alike_at = at;
    }
    if (latin && look_alike != 0) return named("a letter that looks like another one", look_alike, look_alike_at);
    word_start = false;
    at += decoded.bytes;
  }
  return {};
}

}  // namespace safety
