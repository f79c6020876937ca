#include "safety/escape_filter.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "vt/control_bytes.h"
#include "vt/csi.h"

namespace safety {
namespace {

/// So much of a string is held back until its number is known; one with more digits is not let through.
constexpr std::size_t kMostHead = 64;
constexpr char kC2 = '\xc2';  // May begin a C1 control in UTF-8.

/// The length of what most special bytes begin: a CSI that nobody objects to, or a character; 0 for all else.
std::size_t plain_length(std::string_view bytes) {
  if (const std::size_t csi = vt::plain_csi_length(bytes))
    return bytes[csi - 1] == 't' || bytes[csi - 1] == 'y' ? 0 : csi;
  const bool character = bytes.size() > 1 && bytes[0] == kC2 && (static_cast<unsigned char>(bytes[1]) & 0xe0) == 0xa0;
  return character ? 2 : 0;
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
  One escape_{vt::kEsc}, enquiry_{vt::kEnq}, c2_{kC2};
};

/// How long the number is that a string begins with. Terminals skip controls in it: they must not hide it from us.
std::size_t number_run(std::string_view bytes) {
  const auto end =
      std::find_if(bytes.begin(), bytes.end(), [](char c) { return !vt::is_control(c) && (c < '0' || c > '9'); });
  return static_cast<std::size_t>(end - bytes.begin());
}

/// Remembers the last whole sequence: its length as it should have come, and what `allowed` says about it.
template <typename Allowed>
struct Glance final : vt::Sink {
  explicit Glance(Allowed check) : allowed(std::move(check)) {}
  void text(std::string_view) override {}
  void control(char) override {}
  void sequence(const vt::Sequence& sequence) override { length = allowed(sequence) ? sequence.raw.size() : 0; }

  Allowed allowed;
  std::size_t length = 0;
};

}  // namespace

/// How many bytes at the front are text and whole sequences that pass as they are.
std::size_t EscapeFilter::harmless(std::string_view bytes) {
  Glance glance([this](const vt::Sequence& sequence) { return allowed(sequence); });
  NextSpecial next(bytes);
  std::size_t at = 0;
  while ((at = next.after(at)) < bytes.size()) {
    std::size_t length = plain_length(bytes.substr(at));
    if (length == 0) {
      glance.length = 0;
      length = tokens_.take(bytes.substr(at), glance);
      const bool passes = tokens_.in_text() && length == glance.length;
      tokens_.reset();
      if (!passes) return at;
    }
    at += length;
  }
  return bytes.size();
}

std::string_view EscapeFilter::pass(std::string_view bytes, std::string& scratch) {
  if (policy_.clipboard && policy_.reports && policy_.window_changes && policy_.file_transfer) return bytes;
  const std::size_t front = tokens_.in_text() && !open_ ? harmless(bytes) : 0;
  if (front == bytes.size()) return bytes;
  scratch.assign(bytes.substr(0, front));
  feed_into(bytes.substr(front), scratch);
  return scratch;
}

std::string EscapeFilter::feed(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  feed_into(bytes, out);
  return out;
}

void EscapeFilter::feed_into(std::string_view bytes, std::string& out) {
  out_ = &out;
  while (!bytes.empty()) {
    const std::size_t front = tokens_.in_text() ? harmless(bytes) : 0;
    let_through(bytes.substr(0, front));
    bytes.remove_prefix(front);
    if (!bytes.empty()) bytes.remove_prefix(tokens_.take(bytes, *this));
  }
  out_ = nullptr;
}

std::string EscapeFilter::finish() {
  std::string out;
  out_ = &out;
  tokens_.finish(*this);
  out_ = nullptr;
  return out;
}

void EscapeFilter::let_through(std::string_view bytes) {
  if (bytes.empty()) return;
  *out_ += bytes;
  open_ = false;
}

/// Controls from the middle of a sequence go before it, which is the same to a terminal.
void EscapeFilter::let_through_with_controls(std::string_view bytes) {
  let_through(std::exchange(controls_, {}));
  let_through(bytes);
}

/// Something was taken out. What stands before the gap must not join what stands behind it: CAN ends it.
void EscapeFilter::removed() {
  controls_.clear();
  if (std::exchange(open_, false)) *out_ += vt::kCan;
}

void EscapeFilter::text(std::string_view run) {
  let_through(run);
  open_ = run.back() == kC2;
}

void EscapeFilter::control(char byte) {
  if (byte == vt::kEnq && !policy_.reports) return tokens_.in_text() ? removed() : void();
  if (tokens_.in_text()) return let_through({&byte, 1});
  if (controls_.size() < vt::kMostSequence) controls_ += byte;
}

void EscapeFilter::sequence(const vt::Sequence& sequence) {
  if (!sequence.is_string()) return allowed(sequence) ? let_through_with_controls(sequence.raw) : removed();
  if (string_ == String::Undecided) decide_string();
  if (string_ == String::Passes) let_through(sequence.ending());
}

void EscapeFilter::discarded(const vt::Sequence& sequence) {
  if (sequence.is_string()) {
    if (string_ == String::Undecided) decide_string();
    if (string_ != String::Passes) return;
    let_through(sequence.ending());
  } else if (sequence.cut) {
    return removed();
  } else {
    let_through(sequence.raw.substr(0, sequence.raw.size() - sequence.terminator));
    let_through_with_controls(sequence.ending());
  }
  // In a terminal what was broken off has no effect, and what comes next is not part of it.
  open_ = sequence.end == vt::End::broken;
}

void EscapeFilter::string_begins(vt::Kind kind, std::string_view introducer) {
  string_ = String::Undecided;
  head_ = introducer;
  if (kind != vt::Kind::osc) decide_string();
}

void EscapeFilter::string_part(std::string_view bytes) {
  if (string_ == String::Undecided) {
    const std::size_t number = number_run(bytes);
    head_ += bytes.substr(0, number);
    bytes.remove_prefix(number);
    if (bytes.empty() && head_.size() <= kMostHead) return;
    decide_string();
  }
  if (string_ == String::Dropped) return;
  // To a terminal that does not know this kind of string it is text.
  for (std::size_t at = 0; !policy_.reports && (at = bytes.find(vt::kEnq)) < bytes.size(); bytes.remove_prefix(at + 1))
    let_through(bytes.substr(0, at));
  let_through(bytes);
}

void EscapeFilter::decide_string() {
  const bool passes = string_allowed(head_);
  string_ = passes ? String::Passes : String::Dropped;
  if (!policy_.reports) std::erase(head_, vt::kEnq);
  passes ? let_through_with_controls(head_) : removed();
}

bool EscapeFilter::allowed(const vt::Sequence& sequence) const {
  if (sequence.kind == vt::Kind::csi) return csi_allowed(sequence);
  if (!sequence.is_string()) return true;
  const std::string_view body = sequence.body();
  const std::size_t number = sequence.kind == vt::Kind::osc ? number_run(body) : 0;
  return string_allowed(sequence.raw.substr(0, number + 2)) && body.find(vt::kEnq) == std::string_view::npos;
}

/// CSI … t asks about or changes the window, CSI … * y asks what stands on the screen; the other controls pass.
bool EscapeFilter::csi_allowed(const vt::Sequence& csi) const {
  if (csi.cut) return false;
  if (csi.final_byte() != 't' && csi.final_byte() != 'y') return true;
  vt::Csi parts;
  if (!parts.read(csi.raw)) return false;
  if (parts.intermediate != 0) return parts.final_byte != 'y' || parts.intermediate != '*' || policy_.reports;
  if (parts.final_byte == 'y' || parts.leader != 0) return true;
  const int operation = parts.get(0, 0);
  if (operation == 22 || operation == 23) return true;                                        // title stack
  if (operation == 14 || operation == 16 || operation == 18 || operation == 19) return true;  // sizes are harmless
  if (operation == 11 || (operation >= 13 && operation <= 21)) return policy_.reports;
  return policy_.window_changes;
}

/// `head` is an introducer, and behind that of an OSC its number.
bool EscapeFilter::string_allowed(std::string_view head) const {
  if (head.size() > kMostHead) return false;
  switch (std::atoi(vt::without_controls(head.substr(2)).c_str())) {
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
