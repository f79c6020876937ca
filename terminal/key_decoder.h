#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/key.h"

namespace terminal {

/// After this long a lone ESC is the Esc key, not the beginning of a key that was cut.
inline constexpr std::chrono::milliseconds kKeyTime{25};

/// Turns the operator's bytes into keys while the panel has the keyboard.
///
/// Passive: fed any bytes in any pieces, the keys are the same for every cut. A lone ESC cannot be told from the
/// beginning of a sequence: while pending(), the owner waits 25 ms for more and then calls flush(). Releases of keys
/// are not reported. Memory is bounded; no key and no reply of the terminal, however long or broken, ends up as text.
class KeyDecoder {
 public:
  static constexpr std::size_t kPastePiece = 4096;  ///< A paste comes in pieces of about this many bytes.
  static constexpr std::size_t kLongestReply = 4096;
  static constexpr std::size_t kLongestCsi = 64;

  std::vector<Key> feed(std::string_view bytes);

  /// Hands over key by key until `take` says false (the panel closed, say), and returns how many bytes were used: the
  /// rest belong to whoever has the keyboard then.
  using Take = std::function<bool(const Key&)>;
  std::size_t feed(std::string_view bytes, const Take& take);

  bool pending() const;
  /// Gives up waiting: a held ESC was the Esc key, `ESC [` was Alt+[.
  std::vector<Key> flush();

  /// A paste has begun whose end has not come. As with HotkeyFilter, an owner that sees a long silence calls
  /// end_paste(), which returns what was pasted since the last piece.
  bool in_paste() const { return state_ == State::paste; }
  std::vector<Key> end_paste();

 private:
  enum class State { ground, utf8, escape, csi, ss3, string, string_escape, paste, old_mouse };

  bool step(unsigned char byte);
  bool ground(unsigned char byte);
  bool escape(unsigned char byte);
  bool utf8(unsigned char byte);
  bool csi(unsigned char byte);
  bool end_csi(char final);
  bool ss3(unsigned char byte);
  bool string(unsigned char byte);
  bool string_escape(unsigned char byte);
  bool paste(unsigned char byte);
  void paste_byte(unsigned char byte);
  void paste_character(char32_t code);

  void emit(Key key);
  void emit_reply();
  void emit_paste(bool last);
  void expect(State state);
  std::vector<Key> take_emitted();

  State state_ = State::ground;
  std::uint8_t prefix_ = 0;          ///< kAlt after an ESC that may belong to the next character.
  std::string buffer_;               ///< The sequence or character under way.
  char string_kind_ = 0;             ///< The byte after ESC that began the string.
  std::string pasted_;               ///< Clean text of the piece under way.
  std::size_t bracket_matched_ = 0;  ///< How much of the paste's end has been seen.
  bool after_return_ = false;        ///< In a paste: the last byte was CR, so an LF belongs to it.
  int mouse_bytes_ = 0;              ///< Of an old-style mouse report, still to come.
  std::vector<Key> emitted_;
};

}  // namespace terminal
