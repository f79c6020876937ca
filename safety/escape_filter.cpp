#include "safety/escape_filter.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace safety {
namespace {

constexpr std::size_t kMostDigits = 64;
constexpr std::size_t kMostControl = 1024;  // Colours of several kinds in one sequence can be long; none is that long.
constexpr char kEscape = '\x1b';
constexpr char kEnquiry = '\x05';
constexpr char kCancel = '\x18';
constexpr char kC2 = '\xc2';  // May begin a C1 control in UTF-8.

bool is_final(char c) {
  return c >= 0x40 && c <= 0x7e;
}
bool cancels(char c) {
  return c == '\x18' || c == '\x1a';
}
/// A control that does not end a string.
bool is_skipped(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\x07' && c != kEscape && !cancels(c);
}
/// A continuation byte of UTF-8.
bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// Where the next of three bytes stands. Looks for each of them only when the last find has been passed.
class NextSpecial {
 public:
  explicit NextSpecial(std::string_view bytes) : bytes_(bytes) {}

  std::size_t after(std::size_t at) {
    return std::min({escape_.after(bytes_, at), enquiry_.after(bytes_, at), c2_.after(bytes_, at)});
  }

 private:
  struct One {
    char byte;
    std::size_t found = 0;
    bool looked = false;

    std::size_t after(std::string_view bytes, std::size_t at) {
      if (looked && found >= at) return found;
      looked = true;
      const void* hit = at < bytes.size() ? std::memchr(bytes.data() + at, byte, bytes.size() - at) : nullptr;
      return found = hit ? static_cast<std::size_t>(static_cast<const char*>(hit) - bytes.data()) : bytes.size();
    }
  };
  std::string_view bytes_;
  One escape_{kEscape}, enquiry_{kEnquiry}, c2_{kC2};
};

/// The length of a whole sequence at the front that nobody objects to; 0 when that takes a closer look.
std::size_t plain_sequence(std::string_view bytes) {
  if (bytes.size() < 2) return 0;
  if (bytes[0] == kC2) return !continues(bytes[1]) || bytes[1] == '\x9b' || bytes[1] == '\x9d' ? 0 : 2;
  if (bytes[0] != kEscape || bytes[1] == ']' || bytes[1] < 0x20) return 0;
  if (bytes[1] != '[') return 2;
  const std::size_t most = std::min(bytes.size(), kMostControl);
  for (std::size_t i = 2; i < most; ++i) {
    if (is_final(bytes[i])) return bytes[i] == 't' || bytes[i] == 'y' ? 0 : i + 1;
    if (bytes[i] < 0x20) return 0;
  }
  return 0;
}

}  // namespace

/// How many bytes at the front are text and whole sequences that pass whatever the policy says.
std::size_t EscapeFilter::harmless(std::string_view bytes) const {
  NextSpecial next(bytes);
  std::size_t at = 0;
  while ((at = next.after(at)) < bytes.size()) {
    const std::size_t length = plain_sequence(bytes.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return bytes.size();
}

std::string_view EscapeFilter::pass(std::string_view bytes, std::string& scratch) {
  if (policy_.clipboard && policy_.reports && policy_.window_changes && policy_.file_transfer) return bytes;
  const std::size_t front = state_ == State::Text && !open_ ? harmless(bytes) : 0;
  if (front == bytes.size()) return bytes;
  scratch.assign(bytes.substr(0, front));
  feed_into(bytes.substr(front), scratch);
  return scratch;
}

std::string EscapeFilter::feed(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + held_.size());
  feed_into(bytes, out);
  return out;
}

void EscapeFilter::feed_into(std::string_view bytes, std::string& out) {
  while (!bytes.empty()) {
    if (state_ == State::Text) {
      const std::size_t front = harmless(bytes);
      let_through(bytes.substr(0, front), out);
      bytes.remove_prefix(front);
      if (bytes.empty()) return;
    } else if (state_ == State::StringPass || state_ == State::StringDrop) {
      const auto end = bytes.find_first_of(std::string_view("\x07\x18\x1a\x1b\xc2", 5));
      if (state_ == State::StringPass) out += bytes.substr(0, end);
      bytes.remove_prefix(std::min(end, bytes.size()));
      if (bytes.empty()) return;
    }
    take(bytes.front(), out);
    bytes.remove_prefix(1);
  }
}

std::string EscapeFilter::finish() {
  state_ = State::Text;
  return take_held();
}

std::string EscapeFilter::take_held() {
  return std::exchange(held_, {}).substr(std::exchange(shown_, 0));
}

void EscapeFilter::let_through(std::string_view bytes, std::string& out) {
  if (bytes.empty()) return;
  out += bytes;
  open_ = false;
}

/// The beginning of a sequence that the next one breaks off. In a terminal it has no effect.
void EscapeFilter::leave_open(std::string_view bytes, std::string& out) {
  out += bytes;
  open_ = true;
}

/// Something was taken out. What stands before the gap must not join what stands behind it: CAN ends it.
void EscapeFilter::removed(std::string& out) {
  if (std::exchange(open_, false)) out += kCancel;
}

void EscapeFilter::take(char c, std::string& out) {
  switch (state_) {
    case State::Text:
      if (c == kEnquiry && !policy_.reports) return removed(out);
      if (c != kEscape && c != kC2) return let_through({&c, 1}, out);
      held_ = c;
      state_ = State::Escape;
      return;
    case State::Escape:
      return take_in_escape(c, out);
    case State::Control:
    case State::ControlDrop:
      return take_in_control(c, out);
    case State::StringHead:
      held_ += c;
      // Terminals skip most controls inside a string: they must not hide its number from us.
      if (is_skipped(c) && held_.size() <= kMostDigits) return;
      if (c < '0' || c > '9' || held_.size() > kMostDigits) begin_string(out);
      return;
    case State::StringPass:
    case State::StringDrop:
      if (c == kEscape || c == kC2) {
        held_ = c;
        state_ = state_ == State::StringPass ? State::StringPassEscape : State::StringDropEscape;
        return;
      }
      if (state_ == State::StringPass) out += c;
      if (c == '\x07' || cancels(c)) state_ = State::Text;
      return;
    case State::StringPassEscape:
    case State::StringDropEscape:
      return take_in_string(c, out);
  }
}

/// After ESC, or after C2, which with 9B and 9D says the same as ESC [ and ESC ].
void EscapeFilter::take_in_escape(char c, std::string& out) {
  const bool utf8 = held_[0] == kC2;
  if (utf8 ? !continues(c) : c == kEscape || continues(c) || c == kC2) {
    leave_open(take_held(), out);
    state_ = State::Text;
    return take(c, out);
  }
  if (!utf8 && static_cast<unsigned char>(c) < 0x20 && !cancels(c)) {
    // A terminal carries it out and still waits for the rest.
    if (c == kEnquiry && !policy_.reports) return;
    leave_open(held_.substr(shown_) + c, out);
    shown_ = held_.size();
    return;
  }
  held_ += c;
  if (utf8 ? c == '\x9b' : c == '[') {
    state_ = State::Control;
  } else if (utf8 ? c == '\x9d' : c == ']') {
    state_ = State::StringHead;
  } else {
    let_through(take_held(), out);
    state_ = State::Text;
  }
}

void EscapeFilter::take_in_control(char c, std::string& out) {
  const bool drop = state_ == State::ControlDrop;
  // Whatever begins anew or cancels ends this one, as it does in the terminal.
  if (c == kEscape || static_cast<unsigned char>(c) >= 0x80 || cancels(c)) {
    if (!drop) leave_open(take_held(), out);
    state_ = State::Text;
    return take(c, out);
  }
  if (c == kEnquiry && !policy_.reports) return;
  if (!drop) held_ += c;
  if (is_final(c)) {
    if (!drop) control_allowed() ? let_through(take_held(), out) : removed(out);
    take_held();
    state_ = State::Text;
  } else if (held_.size() > kMostControl) {
    removed(out);
    take_held();
    state_ = State::ControlDrop;
  }
}

/// After ESC or C2 inside a string: its end, an ordinary character, or another sequence that cuts the string off.
void EscapeFilter::take_in_string(char c, std::string& out) {
  const bool pass = state_ == State::StringPassEscape;
  const bool utf8 = held_[0] == kC2;
  const bool closes = utf8 ? c == '\x9c' : c == '\\';
  const bool ordinary = utf8 && (!continues(c) || static_cast<unsigned char>(c) >= 0xa0);
  if (closes) {
    if (pass) let_through(held_ + c, out);
    held_.clear();
    state_ = State::Text;
    return;
  }
  if (ordinary) {
    if (pass) out += held_;
    held_.clear();
    state_ = pass ? State::StringPass : State::StringDrop;
    return take(c, out);
  }
  if (pass) open_ = true;
  state_ = State::Escape;
  take(c, out);
}

/// CSI … t asks about or changes the window, CSI … * y asks what stands on the screen; the other controls pass.
bool EscapeFilter::control_allowed() const {
  const char final = held_.back();
  if (final != 't' && final != 'y') return true;
  // Controls inside the sequence are carried out by the terminal and do not belong to it.
  std::string inside;
  for (const char c : std::string_view(held_).substr(2, held_.size() - 3))
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) inside += c;
  const auto intermediate = std::find_if(inside.begin(), inside.end(), [](char c) { return c >= 0x20 && c <= 0x2f; });
  if (intermediate != inside.end()) return final != 'y' || *intermediate != '*' || policy_.reports;
  if (final == 'y' || (!inside.empty() && inside[0] >= '<' && inside[0] <= '?')) return true;
  const int operation = std::atoi(inside.c_str());
  if (operation == 22 || operation == 23) return true;                                        // title stack
  if (operation == 14 || operation == 16 || operation == 18 || operation == 19) return true;  // sizes are harmless
  if (operation == 11 || (operation >= 13 && operation <= 21)) return policy_.reports;
  return policy_.window_changes;
}

void EscapeFilter::begin_string(std::string& out) {
  const bool allowed = held_.size() <= kMostDigits && string_allowed();
  const char last = held_.back();
  held_.pop_back();
  allowed ? let_through(take_held(), out) : removed(out);
  take_held();
  state_ = allowed ? State::StringPass : State::StringDrop;
  take(last, out);
}

bool EscapeFilter::string_allowed() const {
  std::string digits = held_.substr(2);
  std::erase_if(digits, is_skipped);
  const auto number = std::atoi(digits.c_str());
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
