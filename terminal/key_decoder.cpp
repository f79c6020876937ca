#include "terminal/key_decoder.h"

#include <utility>

#include "base/utf8.h"
#include "terminal/key_sequences.h"
#include "terminal/utf8_reader.h"
#include "vt/control_bytes.h"

// A small state machine. Each step takes one byte and reports at most one key; a byte that ends something without being
// part of it is left for the next step. So the owner can stop after any key and knows exactly which bytes are left.

namespace terminal {
namespace {

constexpr std::string_view kPasteEnd = "\x1b[201~";

bool is_control(unsigned char byte) {
  return byte < 0x20;
}

}  // namespace

std::vector<Key> KeyDecoder::feed(std::string_view bytes) {
  std::vector<Key> keys;
  feed(bytes, [&](const Key& key) {
    keys.push_back(key);
    return true;
  });
  return keys;
}

std::size_t KeyDecoder::feed(std::string_view bytes, const Take& take) {
  std::size_t used = 0;
  while (used < bytes.size()) {
    if (step(static_cast<unsigned char>(bytes[used]))) ++used;
    for (const Key& key : take_emitted()) {
      if (!take(key)) return used;
    }
  }
  return used;
}

bool KeyDecoder::pending() const {
  switch (state_) {
    case State::escape:
    case State::string_escape:
      return true;
    case State::csi:
    case State::ss3:
    case State::string:
      return buffer_.empty();  // the introducer alone is also Alt with a character
    default:
      return false;
  }
}

std::vector<Key> KeyDecoder::flush() {
  if (!pending()) return {};
  const State state = state_;
  expect(State::ground);
  if (state == State::csi) emit(Key::of(U'[', kAlt));
  if (state == State::ss3) emit(Key::of(U'O', kAlt));
  if (state == State::string) emit(Key::of(static_cast<char32_t>(string_kind_), kAlt));
  if (state == State::escape || state == State::string_escape) emit(Key::of(KeyKind::escape));
  return take_emitted();
}

std::vector<Key> KeyDecoder::end_paste() {
  if (!in_paste()) return {};
  emit_paste(true);
  return take_emitted();
}

bool KeyDecoder::step(unsigned char byte) {
  switch (state_) {
    case State::ground:
      return ground(byte);
    case State::utf8:
      return utf8(byte);
    case State::escape:
      return escape(byte);
    case State::csi:
      return csi(byte);
    case State::ss3:
      return ss3(byte);
    case State::string:
      return string(byte);
    case State::string_escape:
      return string_escape(byte);
    case State::paste:
      return paste(byte);
    case State::old_mouse:
      if (--mouse_bytes_ == 0) {
        expect(State::ground);
        emit(Key::of(KeyKind::unknown));
      }
      return true;
  }
  return true;
}

bool KeyDecoder::ground(unsigned char byte) {
  if (byte == vt::kEsc) {
    expect(State::escape);
    return true;
  }
  if (is_control(byte) || byte == 0x7F) {
    emit(key_of_control(byte));
    return true;
  }
  state_ = State::utf8;
  return utf8(byte);
}

bool KeyDecoder::escape(unsigned char byte) {
  if (byte == vt::kEsc) {  // the first was the Esc key; this one may begin something
    expect(State::ground);
    emit(Key::of(KeyKind::escape));
    return false;
  }
  expect(State::ground);
  switch (byte) {
    case '[':
      expect(State::csi);
      return true;
    case 'O':
      expect(State::ss3);
      return true;
    case ']':
    case 'P':
    case '_':
    case '^':
    case 'X':
      expect(State::string);
      string_kind_ = static_cast<char>(byte);
      return true;
    default:
      prefix_ = kAlt;
      return ground(byte);
  }
}

bool KeyDecoder::utf8(unsigned char byte) {
  buffer_.push_back(static_cast<char>(byte));
  if (base::incomplete_utf8_tail(buffer_) == buffer_.size()) return true;
  const auto [code, bytes] = base::decode_utf8(buffer_);
  const bool whole = bytes == buffer_.size();
  buffer_.clear();
  state_ = State::ground;
  const bool control = code >= 0x80 && code < 0xA0;
  emit(control ? Key::of(KeyKind::unknown) : Key::of(code));
  return whole;  // else the byte does not belong to the broken character before it
}

bool KeyDecoder::csi(unsigned char byte) {
  const bool console = buffer_ == "[";
  if (is_control(byte) || byte > 0x7E) {  // no key sends this: what came before was cut off
    expect(State::ground);
    emit(Key::of(KeyKind::unknown));
    return false;
  }
  if (byte == '[' && buffer_.empty()) {
    buffer_ = "[";
    return true;
  }
  if (byte >= 0x40 || console) return end_csi(static_cast<char>(byte));
  // Past the limit it is nothing we know; its end is still awaited.
  if (buffer_.size() < kLongestCsi) buffer_.push_back(static_cast<char>(byte));
  return true;
}

bool KeyDecoder::end_csi(char final) {
  const std::string body = std::exchange(buffer_, {});
  expect(State::ground);
  if (body.empty() && final == 'M') {
    expect(State::old_mouse);
    mouse_bytes_ = 3;
    return true;
  }
  if (body == "200" && final == '~') {
    expect(State::paste);
    after_return_ = false;
    return true;
  }
  Key key = body.size() < kLongestCsi ? key_of_csi(body, final) : Key::of(KeyKind::unknown);
  if (key.kind == KeyKind::reply) key.text = "[" + body + final;
  emit(std::move(key));
  return true;
}

bool KeyDecoder::ss3(unsigned char byte) {
  if (is_control(byte) || byte > 0x7E) {
    const bool alone = buffer_.empty();
    expect(State::ground);
    emit(alone ? Key::of(U'O', kAlt) : Key::of(KeyKind::unknown));
    return false;
  }
  if (byte < 0x40 && byte != ' ') {
    if (buffer_.size() < kLongestCsi) buffer_.push_back(static_cast<char>(byte));
    return true;
  }
  const std::string body = std::exchange(buffer_, {});
  expect(State::ground);
  emit(key_of_ss3(body, static_cast<char>(byte)));
  return true;
}

/// A reply holds no control characters, so one that turns up is a key the operator pressed: nobody is locked out by a
/// string whose end was lost.
bool KeyDecoder::string(unsigned char byte) {
  if (byte == vt::kEsc) {
    state_ = State::string_escape;
    return true;
  }
  if (byte == vt::kBel && string_kind_ == ']') {
    emit_reply();
    return true;
  }
  if (is_control(byte)) {
    emit_reply();
    return false;
  }
  if (buffer_.size() < kLongestReply) buffer_.push_back(static_cast<char>(byte));
  return true;
}

bool KeyDecoder::string_escape(unsigned char byte) {
  emit_reply();
  if (byte == '\\') return true;
  state_ = State::escape;
  return false;
}

bool KeyDecoder::paste(unsigned char byte) {
  if (byte == static_cast<unsigned char>(kPasteEnd[bracket_matched_])) {
    if (++bracket_matched_ == kPasteEnd.size()) emit_paste(true);
    return true;
  }
  // Not the end after all: what looked like it is content, without its ESC.
  const std::size_t matched = std::exchange(bracket_matched_, 0);
  for (std::size_t i = 1; i < matched; ++i) paste_byte(static_cast<unsigned char>(kPasteEnd[i]));
  if (matched > 0) return false;
  paste_byte(byte);
  if (pasted_.size() >= kPastePiece) emit_paste(false);
  return true;
}

void KeyDecoder::paste_byte(unsigned char byte) {
  buffer_.push_back(static_cast<char>(byte));
  while (!buffer_.empty() && base::incomplete_utf8_tail(buffer_) != buffer_.size()) {
    const auto [code, bytes] = base::decode_utf8(buffer_);
    buffer_.erase(0, bytes);
    paste_character(code);
  }
}

void KeyDecoder::paste_character(char32_t code) {
  const bool joined = code == U'\n' && after_return_;
  after_return_ = code == U'\r';
  if (code == U'\r') code = U'\n';
  const bool control = (code < 0x20 && code != U'\n' && code != U'\t') || (code >= 0x7F && code < 0xA0);
  if (!joined && !control) base::append_utf8(pasted_, code);
}

void KeyDecoder::emit(Key key) {
  key.modifiers |= std::exchange(prefix_, 0);
  if (key.event != KeyEvent::release) emitted_.push_back(std::move(key));
}

void KeyDecoder::emit_reply() {
  Key key = Key::of(KeyKind::reply);
  key.text = string_kind_ + std::exchange(buffer_, {});
  expect(State::ground);
  emit(std::move(key));
}

void KeyDecoder::emit_paste(bool last) {
  if (last && !buffer_.empty()) {  // the paste ended within a character
    buffer_.clear();
    base::append_utf8(pasted_, Utf8Reader::kReplacement);
  }
  Key key = Key::of(KeyKind::paste);
  key.text = std::exchange(pasted_, {});
  key.last = last;
  if (last) expect(State::ground);
  emit(std::move(key));
}

void KeyDecoder::expect(State state) {
  state_ = state;
  buffer_.clear();
  prefix_ = 0;
  bracket_matched_ = 0;
}

std::vector<Key> KeyDecoder::take_emitted() {
  return std::exchange(emitted_, {});
}

}  // namespace terminal
