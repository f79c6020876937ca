#include "remote_exec/marks.h"

#include <sys/random.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace remote_exec {
namespace {

constexpr std::string_view kIntroducer = "]7717;";
constexpr char kEscape = '\033';
constexpr char kBell = '\007';

bool is_kind(char c) {
  return c == 's' || c == 'e' || c == 'p';
}

/// A start says nothing more, an end says a number; whatever else has the shape of a mark is output.
bool fits(char kind, std::string_view payload) {
  if (kind == 's') return payload.empty();
  if (kind == 'p') return true;
  return !payload.empty() && payload.size() <= 10 && payload.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Nonce Nonce::fresh() {
  std::uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits) {
    std::random_device device;
    bits = (std::uint64_t{device()} << 32) | device();
  }
  return Nonce(bits);
}

Nonce::Nonce(std::uint64_t bits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (int shift = 60; shift >= 0; shift -= 4) text_ += kDigits[(bits >> shift) & 15];
}

std::string mark_format(const Nonce& nonce, MarkKind kind, std::string_view payload) {
  std::string format = "\\033" + std::string(kIntroducer) + nonce.text() + ';' + static_cast<char>(kind);
  if (!payload.empty()) (format += ';') += payload;
  return format + "\\007";
}

MarkScanner::MarkScanner(const Nonce& nonce) {
  prefix_ += kEscape;
  (prefix_ += kIntroducer) += nonce.text();
  prefix_ += ';';
}

MarkScanner::Verdict MarkScanner::judge(std::string_view bytes, std::size_t& length, Mark& mark) const {
  const std::size_t known = std::min(bytes.size(), prefix_.size());
  if (bytes.substr(0, known) != std::string_view(prefix_).substr(0, known)) return Verdict::not_a_mark;
  if (bytes.size() <= prefix_.size()) return Verdict::incomplete;
  const char kind = bytes[prefix_.size()];
  if (!is_kind(kind)) return Verdict::not_a_mark;
  const std::string_view rest = bytes.substr(prefix_.size() + 1);
  if (rest.empty()) return Verdict::incomplete;
  if (rest[0] != ';' && rest[0] != kBell) return Verdict::not_a_mark;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (i > kMaxPayload) return Verdict::not_a_mark;
    if (rest[i] == kBell) {
      mark.kind = static_cast<MarkKind>(kind);
      mark.payload = i == 0 ? std::string_view() : rest.substr(1, i - 1);
      if (!fits(kind, mark.payload)) return Verdict::not_a_mark;
      length = prefix_.size() + 1 + i + 1;
      return Verdict::complete;
    }
    if (rest[i] < 0x20 || rest[i] > 0x7e) return Verdict::not_a_mark;
  }
  return Verdict::incomplete;
}

void MarkScanner::feed(std::string_view bytes, Sink& sink) {
  std::string joined;
  if (!held_.empty()) {
    joined = std::move(held_);
    held_.clear();
    joined += bytes;
    bytes = joined;
  }
  while (!bytes.empty()) {
    std::size_t from = 0;
    Verdict verdict = Verdict::not_a_mark;
    std::size_t length = 0;
    Mark mark;
    // An escape that is no mark costs a few compares; the text around it is handed on in one piece.
    while (verdict == Verdict::not_a_mark) {
      const auto* escape = static_cast<const char*>(std::memchr(bytes.data() + from, kEscape, bytes.size() - from));
      if (escape == nullptr) {
        sink.on_text(bytes);
        return;
      }
      from = static_cast<std::size_t>(escape - bytes.data());
      verdict = judge(bytes.substr(from), length, mark);
      if (verdict == Verdict::not_a_mark) ++from;
    }
    if (from > 0) sink.on_text(bytes.substr(0, from));
    if (verdict == Verdict::incomplete) {
      held_ = bytes.substr(from);
      return;
    }
    bytes.remove_prefix(from + length);
    sink.on_mark(mark);
  }
}

}  // namespace remote_exec
