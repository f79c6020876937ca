#include "safety/escape_filter.h"

#include <cstdlib>
#include <utility>

namespace safety {
namespace {

constexpr std::size_t kMostHeld = 64;
constexpr char kEscape = '\x1b';
constexpr char kEnquiry = '\x05';

}  // namespace

std::string EscapeFilter::feed(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + held_.size());
  while (!bytes.empty()) {
    if (state_ == State::Text) {
      // C2 may begin a C1 control in UTF-8.
      const auto special = bytes.find_first_of(std::string_view("\x1b\x05\xc2", 3));
      out += bytes.substr(0, special);
      if (special == std::string_view::npos) break;
      bytes.remove_prefix(special);
    }
    take(bytes.front(), out);
    bytes.remove_prefix(1);
  }
  return out;
}

std::string EscapeFilter::finish() {
  state_ = State::Text;
  return std::exchange(held_, {});
}

void EscapeFilter::take(char c, std::string& out) {
  switch (state_) {
    case State::Text:
      if (c == kEnquiry && !policy_.reports) return;
      if (c != kEscape && c != '\xc2') {
        out += c;
        return;
      }
      held_ = c;
      state_ = State::Escape;
      return;
    case State::Escape: {
      const bool utf8 = held_ == "\xc2";
      held_ += c;
      if (utf8 ? c == '\x9b' : c == '[') {
        state_ = State::Control;
      } else if (utf8 ? c == '\x9d' : c == ']') {
        state_ = State::StringHead;
      } else if (utf8 || c != kEscape) {
        out += std::exchange(held_, {});
        state_ = State::Text;
      } else {
        out += kEscape;
        held_ = kEscape;
      }
      return;
    }
    case State::Control:
      if (c == kEscape) {
        out += std::exchange(held_, std::string(1, kEscape));
        state_ = State::Escape;
        return;
      }
      held_ += c;
      if ((c >= 0x40 && c <= 0x7e) || held_.size() > kMostHeld) finish_control(out);
      return;
    case State::StringHead:
      held_ += c;
      if (c < '0' || c > '9' || held_.size() > kMostHeld) begin_string(out);
      return;
    case State::StringPass:
    case State::StringDrop:
      if (c == kEscape || c == '\xc2') {
        held_ = c;
        state_ = state_ == State::StringPass ? State::StringPassEscape : State::StringDropEscape;
        return;
      }
      if (state_ == State::StringPass) out += c;
      if (c == '\x07' || c == '\x18' || c == '\x1a') state_ = State::Text;
      return;
    case State::StringPassEscape:
    case State::StringDropEscape:
      return take_in_string(c, out);
  }
}

/// After ESC or C2 inside a string: its end, an ordinary character, or another sequence that cuts the string off.
void EscapeFilter::take_in_string(char c, std::string& out) {
  const bool pass = state_ == State::StringPassEscape;
  const bool utf8 = held_ == "\xc2";
  const bool closes = utf8 ? c == '\x9c' : c == '\\';
  const bool ordinary = utf8 && static_cast<unsigned char>(c) >= 0xa0;
  if (closes || ordinary) {
    if (pass) out += held_ + c;
    held_.clear();
    state_ = closes ? State::Text : pass ? State::StringPass : State::StringDrop;
    return;
  }
  state_ = State::Escape;
  take(c, out);
}

void EscapeFilter::finish_control(std::string& out) {
  if (control_allowed()) out += held_;
  held_.clear();
  state_ = State::Text;
}

/// CSI … t asks about or changes the window; the other controls pass.
bool EscapeFilter::control_allowed() const {
  if (held_.back() != 't') return true;
  const auto digits = held_.find_first_of("0123456789");
  if (digits == std::string::npos || digits > 2) return true;
  const int operation = std::atoi(held_.c_str() + digits);
  if (operation == 22 || operation == 23) return true;  // title stack
  if (operation == 11 || operation == 13 || (operation >= 14 && operation <= 19)) {
    return operation == 14 || operation == 16 || operation == 18 || operation == 19 ||
           policy_.reports;  // sizes are harmless
  }
  if (operation == 20 || operation == 21) return policy_.reports;
  return policy_.window_changes;
}

void EscapeFilter::begin_string(std::string& out) {
  const bool allowed = string_allowed();
  const char last = held_.back();
  held_.pop_back();
  if (allowed) out += held_;
  held_.clear();
  state_ = allowed ? State::StringPass : State::StringDrop;
  take(last, out);
}

bool EscapeFilter::string_allowed() const {
  const auto number = std::atoi(held_.c_str() + 2);
  switch (number) {
    case 52:
      return policy_.clipboard;
    case 50:
      return policy_.window_changes;
    case 1337:
    case 5113:
      return policy_.file_transfer;
    default:
      return true;
  }
}

}  // namespace safety
