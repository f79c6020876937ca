#include "vt/tokenizer.h"

#include "vt/bytes.h"

namespace vt {
namespace {

/// What an ESC and `byte` begin.
Kind kind_of(char byte) {
  switch (byte) {
    case '[':
      return Kind::csi;
    case ']':
      return Kind::osc;
    case 'P':
      return Kind::dcs;
    case 'X':
      return Kind::sos;
    case '^':
      return Kind::pm;
    case '_':
      return Kind::apc;
    default:
      return Kind::escape;
  }
}

}  // namespace

void Tokenizer::reset() {
  state_ = State::text;
  held_.clear();
}

void Tokenizer::feed(std::string_view bytes, Sink& sink) {
  while (!bytes.empty()) {
    if (in_text()) {
      const std::size_t run = text_run(bytes);
      if (run > 0) sink.text(bytes.substr(0, run));
      bytes.remove_prefix(run);
      if (bytes.empty()) return;
    }
    bytes.remove_prefix(take(bytes, sink));
  }
}

void Tokenizer::finish(Sink& sink) {
  if (state_ == State::text_half) {
    state_ = State::text;
    return sink.text({&kC2, 1});
  }
  if (state_ == State::string_half) add_half_to_string(sink);
  const bool escape_at_end = state_ == State::string_escape;
  if (!in_text()) end(End::unfinished, {}, sink);
  if (!escape_at_end) return;
  begin(kEsc, sink);
  end(End::unfinished, {}, sink);
}

std::size_t Tokenizer::text_run(std::string_view bytes) const {
  const std::size_t run = run_without_controls(bytes);
  if (c1_ == C1::text) return run;
  bytes = bytes.substr(0, run);
  for (std::size_t at = bytes.find(kC2); at < run; at = bytes.find(kC2, at + 1))
    if (at + 1 == run || is_c1_half(bytes[at + 1])) return at;
  return run;
}

std::size_t Tokenizer::take(std::string_view bytes, Sink& sink) {
  if (in_text()) {
    // The usual case, without a copy.
    if (const std::size_t length = plain_csi_length(bytes)) {
      sink.sequence({.kind = Kind::csi, .raw = bytes.substr(0, length)});
      return length;
    }
  }
  std::size_t at = 0;
  do {
    at += step(bytes.substr(at), sink);
  } while (at < bytes.size() && !in_text());
  return at;
}

/// Takes the byte at the front, in a string as many as there are; none when they are to be read as something else now.
std::size_t Tokenizer::step(std::string_view bytes, Sink& sink) {
  switch (state_) {
    case State::text:
      return begin(bytes.front(), sink);
    case State::text_half:
      return step_half(bytes.front(), sink);
    case State::escape:
    case State::csi:
      return step_sequence(bytes.front(), sink);
    case State::string:
      return step_string(bytes, sink);
    case State::string_escape:
      return step_string_escape(bytes.front(), sink);
    case State::string_half:
      return step_string_half(bytes.front(), sink);
  }
  return bytes.size();
}

std::size_t Tokenizer::begin(char byte, Sink& sink) {
  if (byte == kEsc) {
    state_ = State::escape;
    kind_ = Kind::escape;
    cut_ = false;
    held_ = kEsc;
  } else if (byte == kC2 && c1_ == C1::controls) {
    state_ = State::text_half;
  } else if (is_control(byte)) {
    sink.control(byte);
  } else {
    sink.text({&byte, 1});
  }
  return 1;
}

std::size_t Tokenizer::step_half(char byte, Sink& sink) {
  state_ = State::text;
  if (!is_c1_half(byte)) {
    sink.text({&kC2, 1});
    return 0;
  }
  begin_c1(byte, sink);
  return 1;
}

void Tokenizer::begin_c1(char byte, Sink& sink) {
  held_ = kC2;
  held_ += byte;
  cut_ = false;
  kind_ = kind_of(static_cast<char>(static_cast<unsigned char>(byte) - 0x40));
  if (kind_ == Kind::escape) return end(End::whole, {}, sink);
  if (kind_ != Kind::csi) return begin_string(kind_, sink);
  state_ = State::csi;
}

/// In the middle of an ESC or CSI sequence.
std::size_t Tokenizer::step_sequence(char byte, Sink& sink) {
  if (byte == kEsc || !is_ascii(byte)) {
    end(End::broken, {}, sink);
    return 0;
  }
  if (cancels(byte)) {
    end(End::cancelled, {&byte, 1}, sink);
  } else if (byte == 0 || byte == kDel) {
    // Not there, as to every terminal.
  } else if (is_control(byte)) {
    sink.control(byte);
  } else if (state_ == State::escape) {
    step_escape(byte, sink);
  } else {
    byte < '@' ? keep(byte) : end_with(byte, sink);
  }
  return 1;
}

void Tokenizer::step_escape(char byte, Sink& sink) {
  if (is_intermediate(byte)) return keep(byte);
  if (held_.size() == 1) kind_ = kind_of(byte);
  if (kind_ == Kind::escape) return end_with(byte, sink);
  keep(byte);
  if (kind_ != Kind::csi) return begin_string(kind_, sink);
  state_ = State::csi;
}

/// The final byte is kept even when there is no room: without it nobody knows what the sequence was.
void Tokenizer::end_with(char final_byte, Sink& sink) {
  held_ += final_byte;
  end(End::whole, {}, sink);
}

void Tokenizer::keep(char byte) {
  if (held_.size() + 1 < kMostSequence) {
    held_ += byte;
  } else {
    cut_ = true;
  }
}

void Tokenizer::end(End how, std::string_view terminator, Sink& sink) {
  held_ += terminator;
  const Sequence sequence{.kind = kind_, .end = how, .cut = cut_, .terminator = terminator.size(), .raw = held_};
  state_ = State::text;
  how == End::whole ? sink.sequence(sequence) : sink.discarded(sequence);
}

}  // namespace vt
