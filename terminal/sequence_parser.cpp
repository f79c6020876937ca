#include "terminal/sequence_parser.h"

#include <algorithm>

#include "terminal/control_bytes.h"

namespace terminal {
namespace {

bool is_intermediate(unsigned char byte) {
  return byte >= 0x20 && byte <= 0x2F;
}

}  // namespace

void SequenceParser::begin_escape() {
  state_ = State::escape;
  intermediate_ = 0;
  intermediates_ = 0;
}

std::size_t SequenceParser::take(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size() && state_ != State::ground) {
    if (state_ == State::string) {
      at += take_string(bytes.substr(at));
      continue;
    }
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte >= 0x80) {
      // No part of any sequence: it cuts this one off and is text again.
      state_ = State::ground;
      break;
    }
    step(byte);
    ++at;
  }
  return at;
}

void SequenceParser::step(unsigned char byte) {
  if (byte == kEsc) return begin_escape();
  if (byte == kCan || byte == kSub) {
    state_ = State::ground;
    return;
  }
  if (state_ == State::string_escape) {
    // Only a backslash makes it the end of the string; anything else is a sequence that cuts it off.
    state_ = byte == '\\' ? State::ground : State::escape;
    if (byte == '\\') return receiver_.on_string(kind_, text_);
  }
  if (byte == 0 || byte == kDel) return;
  if (byte < 0x20) return receiver_.on_control(byte);
  if (state_ == State::escape) return step_escape(byte);
  step_csi(byte);
}

void SequenceParser::step_escape(unsigned char byte) {
  if (is_intermediate(byte)) {
    intermediate_ = static_cast<char>(byte);
    ++intermediates_;
    return;
  }
  state_ = State::ground;
  if (intermediates_ > 1) return;
  if (intermediates_ == 1) return receiver_.on_escape(intermediate_, static_cast<char>(byte));
  switch (byte) {
    case '[':
      return begin_csi();
    case ']':
      return begin_string(StringKind::osc);
    case 'P':
      return begin_string(StringKind::dcs);
    case 'X':
    case '^':
    case '_':
      return begin_string(StringKind::other);
    default:
      return receiver_.on_escape(0, static_cast<char>(byte));
  }
}

void SequenceParser::begin_csi() {
  state_ = State::csi_start;
  csi_.leader = 0;
  csi_.intermediate = 0;
  csi_.count = 0;
  csi_.joined = 0;
  intermediates_ = 0;
  params_full_ = false;
}

void SequenceParser::take_csi_digit(int digit) {
  if (params_full_) return;
  if (csi_.count == 0) next_param(false);
  int& value = csi_.params[static_cast<std::size_t>(csi_.count - 1)];
  value = std::min((value == Csi::kMissing ? 0 : value) * 10 + digit, Csi::kMaxValue);
}

void SequenceParser::next_param(bool joined) {
  if (csi_.count == Csi::kMaxParams) {
    params_full_ = true;
    return;
  }
  if (joined) csi_.joined |= 1u << csi_.count;
  csi_.params[static_cast<std::size_t>(csi_.count++)] = Csi::kMissing;
}

void SequenceParser::step_csi(unsigned char byte) {
  if (byte >= 0x40) return finish_csi(static_cast<char>(byte));
  if (state_ == State::csi_ignore) return;
  const bool at_start = state_ == State::csi_start;
  state_ = State::csi;
  if (is_intermediate(byte)) {
    csi_.intermediate = static_cast<char>(byte);
    ++intermediates_;
  } else if (intermediates_ > 0 || (byte >= 0x3C && !at_start)) {
    state_ = State::csi_ignore;
  } else if (byte >= 0x3C) {
    csi_.leader = static_cast<char>(byte);
  } else if (byte <= '9') {
    take_csi_digit(byte - '0');
  } else {
    if (csi_.count == 0) next_param(false);
    next_param(byte == ':');
  }
}

void SequenceParser::finish_csi(char final_byte) {
  const bool known = state_ != State::csi_ignore && intermediates_ <= 1;
  state_ = State::ground;
  if (!known) return;
  csi_.final_byte = final_byte;
  receiver_.on_csi(csi_);
}

void SequenceParser::begin_string(StringKind kind) {
  state_ = State::string;
  kind_ = kind;
  text_.clear();
}

std::size_t SequenceParser::take_string(std::string_view bytes) {
  std::size_t at = 0;
  for (; at < bytes.size(); ++at) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte >= 0x20 && byte != kDel) continue;
    if (byte == kEsc || byte == kCan || byte == kSub || byte == kBel) break;
  }
  const std::size_t room = kMaxString - text_.size();
  if (kind_ != StringKind::other) text_.append(bytes.substr(0, std::min(at, room)));
  if (at == bytes.size()) return at;
  const auto ending = static_cast<unsigned char>(bytes[at]);
  if (ending == kEsc) {
    state_ = State::string_escape;
  } else if (ending == kBel) {
    // Ends an OSC; means nothing in the other strings.
    if (kind_ == StringKind::osc) {
      state_ = State::ground;
      receiver_.on_string(kind_, text_);
    }
  } else {
    state_ = State::ground;
  }
  return at + 1;
}

}  // namespace terminal
