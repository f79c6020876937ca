#include "panel/text_motions.h"

#include <algorithm>

#include "base/grapheme.h"
#include "base/utf8.h"

namespace panel {
namespace {

/// Letters and digits of any script; the punctuation blocks end a word.
bool is_word(char32_t code) {
  if (code < 0x80) {
    return (code >= U'0' && code <= U'9') || (code >= U'a' && code <= U'z') || (code >= U'A' && code <= U'Z') ||
           code == U'_';
  }
  const bool punctuation = (code >= 0x2000 && code <= 0x206F) || (code >= 0x3000 && code <= 0x303F) ||
                           (code >= 0xFF00 && code <= 0xFF0F) || code < 0xC0;
  return !punctuation;
}

char32_t character_at(std::string_view text, std::size_t at) {
  return at < text.size() ? base::decode_utf8(text.substr(at)).code : 0;
}

}  // namespace

bool is_space(char32_t code) {
  return code == U' ' || code == U'\n' || code == U'\t' || code == U'\u00A0' || code == U'\u3000';
}

std::size_t character_right(std::string_view text, std::size_t at) {
  return base::grapheme_end(text, at);
}

std::size_t character_left(std::string_view text, std::size_t at) {
  return at == 0 ? 0 : base::grapheme_begin(text, at);
}

std::size_t word_right(std::string_view text, std::size_t at) {
  while (at < text.size() && !is_word(character_at(text, at))) at = character_right(text, at);
  while (at < text.size() && is_word(character_at(text, at))) at = character_right(text, at);
  return at;
}

std::size_t word_left(std::string_view text, std::size_t at) {
  while (at > 0 && !is_word(character_at(text, character_left(text, at)))) at = character_left(text, at);
  while (at > 0 && is_word(character_at(text, character_left(text, at)))) at = character_left(text, at);
  return at;
}

std::size_t space_left(std::string_view text, std::size_t at) {
  while (at > 0 && is_space(character_at(text, character_left(text, at)))) at = character_left(text, at);
  while (at > 0 && !is_space(character_at(text, character_left(text, at)))) at = character_left(text, at);
  return at;
}

std::size_t line_begin(std::string_view text, std::size_t at) {
  const auto found = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  return found == std::string::npos ? 0 : found + 1;
}

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

}  // namespace panel
