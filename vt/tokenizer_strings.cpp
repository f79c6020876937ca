// Tokenizer: inside OSC, DCS, APC, PM and SOS.
#include <algorithm>

#include "vt/bytes.h"
#include "vt/tokenizer.h"

namespace vt {
namespace {

constexpr std::size_t kIntroducer = 2;

}  // namespace

void Tokenizer::begin_string(Kind kind, Sink& sink) {
  state_ = State::string;
  sink.string_begins(kind, held_);
}

/// How far a string goes without anything that may end it.
std::size_t Tokenizer::string_run(std::string_view bytes) const {
  std::size_t at = 0;
  for (; at < bytes.size(); ++at) {
    const char byte = bytes[at];
    if (byte == kEsc || cancels(byte)) break;
    if ((byte == kBel && kind_ == Kind::osc) || (byte == kC2 && c1_ == C1::controls)) break;
  }
  return at;
}

/// Whether the string may grow; false when it is over because it is long.
bool Tokenizer::may_grow(Sink& sink) {
  if (cut_ || held_.size() < kIntroducer + kMostString) return true;
  cut_ = true;
  if (sink.string_goes_on(std::string_view(held_).substr(kIntroducer))) return true;
  reset();
  return false;
}

std::size_t Tokenizer::step_string(std::string_view bytes, Sink& sink) {
  if (const std::size_t run = string_run(bytes)) {
    if (!may_grow(sink)) return 0;
    const std::size_t part = cut_ ? run : std::min(run, kIntroducer + kMostString - held_.size());
    add_to_string(bytes.substr(0, part), sink);
    return part;
  }
  const char byte = bytes.front();
  if (byte == kEsc) {
    state_ = State::string_escape;
  } else if (byte == kC2) {
    state_ = State::string_half;
  } else {
    end(byte == kBel ? End::whole : End::cancelled, {&byte, 1}, sink);
  }
  return 1;
}

void Tokenizer::add_to_string(std::string_view bytes, Sink& sink) {
  sink.string_part(bytes);
  if (!cut_) held_ += bytes;
}

/// A byte C2 that was not the first half of a C1 control.
void Tokenizer::add_half_to_string(Sink& sink) {
  if (!may_grow(sink)) return sink.text({&kC2, 1});
  state_ = State::string;
  add_to_string({&kC2, 1}, sink);
}

std::size_t Tokenizer::step_string_escape(char byte, Sink& sink) {
  if (byte == '\\') {
    end(End::whole, "\x1b\\", sink);
    return 1;
  }
  // Another sequence, which cuts the string off.
  end(End::broken, {}, sink);
  begin(kEsc, sink);
  return 0;
}

std::size_t Tokenizer::step_string_half(char byte, Sink& sink) {
  if (!is_c1_half(byte)) {
    add_half_to_string(sink);
    return 0;
  }
  if (byte == '\x9c') {
    end(End::whole, "\xc2\x9c", sink);
  } else {
    end(End::broken, {}, sink);
    begin_c1(byte, sink);
  }
  return 1;
}

}  // namespace vt
