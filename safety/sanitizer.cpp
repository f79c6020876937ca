#include "safety/sanitizer.h"

#include <cstdio>
#include <utility>

#include "base/utf8.h"
#include "safety/unusual_text.h"

namespace safety {
namespace {

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
  std::string out;
  out.reserve(bytes.size());
  out_ = &out;
  tokens_.feed(bytes, *this);
  out_ = nullptr;
  return out;
}

std::string Sanitizer::finish() {
  std::string out;
  out_ = &out;
  tokens_.finish(*this);
  if (!partial_.empty()) base::append_utf8(out, U'\uFFFD');
  partial_.clear();
  out_ = nullptr;
  return out;
}

void Sanitizer::text(std::string_view run) {
  std::string joined;
  if (!partial_.empty()) {
    joined = std::move(partial_) + std::string(run);
    run = joined;
  }
  const auto held = base::incomplete_utf8_tail(run);
  partial_ = run.substr(run.size() - held);
  run.remove_suffix(held);
  while (!run.empty()) {
    const auto next = base::decode_utf8(run);
    take(next.code);
    run.remove_prefix(next.bytes);
  }
}

/// What follows is no text, so the character stays half.
void Sanitizer::give_up_partial() {
  for (; !partial_.empty(); partial_.pop_back()) take(U'\uFFFD');
}

void Sanitizer::control(char byte) {
  give_up_partial();
  if (byte == '\n') {
    *out_ += '\n';
    column_ = 0;
  } else if (byte == '\t') {
    const auto blanks = kTabWidth - column_ % kTabWidth;
    out_->append(blanks, ' ');
    column_ += blanks;
  } else if (byte != '\r') {
    show(static_cast<unsigned char>(byte));
  }
}

void Sanitizer::sequence(const vt::Sequence& sequence) {
  give_up_partial();
  // A C1 control that begins nothing.
  const bool single = sequence.kind == vt::Kind::escape && sequence.raw.starts_with('\xc2');
  if (single) show(static_cast<unsigned char>(sequence.final_byte()));
}

void Sanitizer::discarded(const vt::Sequence& sequence) {
  give_up_partial();
  LineSink::discarded(sequence);
}

void Sanitizer::take(char32_t code) {
  if (is_hidden_character(code)) return show(code);
  base::append_utf8(*out_, code);
  column_ += static_cast<std::size_t>(base::char_width(code));
}

void Sanitizer::show(char32_t code) {
  if (unprintable_ == Unprintable::Dropped) return;
  const auto text = named(code);
  *out_ += text;
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
