#pragma once

#include <cstdint>

namespace terminal {

/// Decodes UTF-8 byte by byte, so that it does not matter where the bytes are cut.
///
/// What a lead byte announced and what came of it count as one character: a sequence that is cut short, overlong, a
/// surrogate or out of range gives one U+FFFD, as in xterm.
class Utf8Reader {
 public:
  static constexpr char32_t kReplacement = 0xFFFD;

  bool inside() const { return missing_ > 0; }
  bool continues(unsigned char byte) const { return missing_ > 0 && (byte & 0xC0) == 0x80; }

  /// Takes a byte from 0x80 on that begins a character or, when continues(byte), goes on with one. True when a
  /// character is complete: code() is it.
  bool take(unsigned char byte) {
    if (continues(byte)) {
      code_ = (code_ << 6) | (byte & 0x3Fu);
      if (--missing_ > 0) return false;
      if (code_ < least_ || code_ > 0x10FFFF || (code_ >= 0xD800 && code_ < 0xE000) || (code_ & 0xFFFE) == 0xFFFE)
        code_ = kReplacement;
      return true;
    }
    return begin(byte);
  }

  /// Forgets a character that does not go on; U+FFFD stands for it.
  void abandon() { missing_ = 0; }

  char32_t code() const { return code_; }

 private:
  bool begin(unsigned char lead) {
    if (lead >= 0xC0 && lead < 0xE0) return expect(1, lead & 0x1Fu, 0x80);
    if (lead >= 0xE0 && lead < 0xF0) return expect(2, lead & 0x0Fu, 0x800);
    if (lead >= 0xF0 && lead < 0xF8) return expect(3, lead & 0x07u, 0x10000);
    if (lead >= 0xF8 && lead < 0xFC) return expect(4, lead & 0x03u, 0x200000);
    if (lead >= 0xFC && lead < 0xFE) return expect(5, lead & 0x01u, 0x4000000);
    code_ = kReplacement;
    return true;
  }

  bool expect(int missing, char32_t bits, char32_t least) {
    missing_ = missing;
    code_ = bits;
    least_ = least;
    return false;
  }

  int missing_ = 0;
  char32_t code_ = 0;
  char32_t least_ = 0;  ///< Smaller values would be overlong.
};

}  // namespace terminal
