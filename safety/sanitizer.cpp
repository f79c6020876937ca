#include "safety/sanitizer.h"

#include <cstdio>

#include "base/utf8.h"
#include "safety/unusual_text.h"

namespace safety {
namespace {

/// No sequence that a terminal understands is longer; one that is not closed must not swallow the rest.
constexpr std::size_t kLongestControl = 256;
constexpr std::size_t kLongestString = 1024 * 1024;
constexpr std::size_t kTabWidth = 8;

std::string named(char32_t code) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "<U+%04X>", static_cast<unsigned>(code));
  return buffer;
}

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F);
}

}  // namespace

std::string Sanitizer::feed(std::string_view bytes) {
  std::string joined;
  if (!partial_.empty()) {
    joined = partial_ + std::string(bytes);
    bytes = joined;
    partial_.clear();
  }
  const auto held = base::incomplete_utf8_tail(bytes);
  const auto tail = bytes.substr(bytes.size() - held);
  bytes.remove_suffix(held);
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto next = base::decode_utf8(bytes);
    take(next.code, out);
    bytes.remove_prefix(next.bytes);
  }
  partial_ = std::string(tail);
  return out;
}

std::string Sanitizer::finish() {
  std::string out;
  if (!partial_.empty() && state_ == State::Text) base::append_utf8(out, U'\uFFFD');
  partial_.clear();
  state_ = State::Text;
  return out;
}

void Sanitizer::take(char32_t code, std::string& out) {
  switch (state_) {
    case State::Text:
      return take_text(code, out);
    case State::Escape:
      sequence_length_ = 0;
      if (code == '[') {
        state_ = State::Control;
      } else if (code == ']' || code == 'P' || code == 'X' || code == '^' || code == '_') {
        state_ = State::String;
      } else if (code < 0x20 || code > 0x2F) {
        // Intermediates (0x20-0x2F) are followed by one more character; anything else ends the sequence.
        state_ = State::Text;
        if (code == 0x1B) state_ = State::Escape;
        if (code == '\n') take_text(code, out);
      }
      return;
    case State::Control:
      if (code == 0x1B) state_ = State::Escape;
      if (code == 0x18 || code == 0x1A || (code >= 0x40 && code <= 0x7E) || ++sequence_length_ > kLongestControl)
        state_ = State::Text;
      return;
    case State::String:
      if (code == 0x07 || code == 0x9C || code == 0x18 || code == 0x1A || ++sequence_length_ > kLongestString)
        state_ = State::Text;
      if (code == 0x1B) state_ = State::StringEscape;
      return;
    case State::StringEscape:
      state_ = State::Text;
      // ESC \ closes the string; any other ESC begins a new sequence.
      if (code != '\\') {
        state_ = State::Escape;
        take(code, out);
      }
      return;
  }
}

void Sanitizer::take_text(char32_t code, std::string& out) {
  sequence_length_ = 0;
  if (code == '\n') {
    out += '\n';
    column_ = 0;
  } else if (code == '\t') {
    const auto blanks = kTabWidth - column_ % kTabWidth;
    out.append(blanks, ' ');
    column_ += blanks;
  } else if (code == 0x1B) {
    state_ = State::Escape;
  } else if (code == 0x9B) {
    state_ = State::Control;
  } else if (code == 0x90 || code == 0x98 || code == 0x9D || code == 0x9E || code == 0x9F) {
    state_ = State::String;
  } else if (is_control(code)) {
    if (code != '\r') show(code, out);
  } else if (is_hidden_character(code)) {
    show(code, out);
  } else {
    base::append_utf8(out, code);
    column_ += static_cast<std::size_t>(base::char_width(code));
  }
}

void Sanitizer::show(char32_t code, std::string& out) {
  if (unprintable_ == Unprintable::Dropped) return;
  const auto text = named(code);
  out += text;
  column_ += text.size();
}

std::string sanitize(std::string_view text, Unprintable unprintable) {
  Sanitizer sanitizer(unprintable);
  auto out = sanitizer.feed(text);
  return out + sanitizer.finish();
}

std::string sanitize_line(std::string_view text) {
  auto out = sanitize(text);
  for (char& c : out) {
    if (c == '\n') c = ' ';
  }
  return out;
}

std::string show_every_byte(std::string_view command) {
  std::string out;
  while (!command.empty()) {
    const auto next = base::decode_utf8(command);
    if (next.code == U'\uFFFD' && next.bytes == 1) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "<%02X>", static_cast<unsigned char>(command[0]));
      out += buffer;
    } else if (next.code != '\n' &&
               (is_control(next.code) || is_hidden_character(next.code) || is_unusual_space(next.code))) {
      out += named(next.code);
    } else {
      base::append_utf8(out, next.code);
    }
    command.remove_prefix(next.bytes);
  }
  return out;
}

}  // namespace safety
