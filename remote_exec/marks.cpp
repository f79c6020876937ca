#include "remote_exec/marks.h"

#include <sys/random.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "vt/tokenizer.h"

namespace remote_exec {
namespace {

constexpr std::string_view kIntroducer = "]7717;";
constexpr char kEscape = '\033';

bool is_kind(char c) {
  return c == 's' || c == 'e' || c == 'p';
}

/// A start says nothing more, an end says a number; whatever else has the shape of a mark is output.
bool fits(const Mark& mark) {
  const std::string_view payload = mark.payload;
  if (mark.kind == MarkKind::start) return payload.empty();
  if (mark.kind == MarkKind::probe) return true;
  return !payload.empty() && payload.size() <= 10 && payload.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Looks at one string, from its ESC: whether it may be a mark as far as it goes, and whether BEL closed it.
struct Candidate final : vt::Sink {
  void text(std::string_view) override {}
  void control(char) override {}
  void sequence(const vt::Sequence& sequence) override { closed = sequence.ending() == "\a"; }
  void discarded(const vt::Sequence&) override { fine = false; }
  void string_part(std::string_view part) override {
    fine = fine && std::all_of(part.begin(), part.end(), [](char c) { return c >= 0x20 && c <= 0x7e; });
  }
  bool closed = false;
  bool fine = true;  ///< Not broken off, and printable ASCII.
};

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
  // Most sequences differ at once.
  const std::size_t known = std::min(bytes.size(), prefix_.size());
  if (bytes.substr(0, known) != std::string_view(prefix_).substr(0, known)) return Verdict::not_a_mark;
  const std::size_t longest = prefix_.size() + kMaxPayload + 2;
  Candidate candidate;
  vt::Tokenizer tokens;
  length = tokens.take(bytes.substr(0, longest), candidate);
  if (!candidate.fine || (tokens.in_text() && !candidate.closed)) return Verdict::not_a_mark;
  if (!candidate.closed) return bytes.size() < longest ? Verdict::incomplete : Verdict::not_a_mark;
  std::string_view said = bytes.substr(prefix_.size(), length - prefix_.size() - 1);
  if (said.empty() || !is_kind(said[0])) return Verdict::not_a_mark;
  mark.kind = static_cast<MarkKind>(said[0]);
  said.remove_prefix(1);
  if (!said.empty() && said[0] != ';') return Verdict::not_a_mark;
  mark.payload = said.substr(std::min<std::size_t>(said.size(), 1));
  return fits(mark) ? Verdict::complete : Verdict::not_a_mark;
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
