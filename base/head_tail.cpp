#include "base/head_tail.h"

#include <algorithm>

#include "base/utf8.h"

namespace base {
namespace {

/// The text without the rest of a character whose beginning was cut off.
std::string_view from_whole_character(std::string_view text) {
  std::size_t skip = 0;
  while (skip < 3 && skip < text.size() && (static_cast<unsigned char>(text[skip]) & 0xC0) == 0x80) ++skip;
  return text.substr(skip);
}

}  // namespace

HeadTail::HeadTail(std::size_t limit) : half_(std::max<std::size_t>(limit / 2, 1)) {}

void HeadTail::append(std::string_view bytes) {
  total_ += bytes.size();
  if (head_.size() < half_) {
    const std::size_t room = std::min(half_ - head_.size(), bytes.size());
    head_.append(bytes.substr(0, room));
    bytes.remove_prefix(room);
  }
  if (bytes.size() > half_) {
    tail_.assign(bytes.substr(bytes.size() - half_));
    return;
  }
  tail_.append(bytes);
  // Cut in large steps, so that a stream of small pieces costs linear time.
  if (tail_.size() > 2 * half_) tail_.erase(0, tail_.size() - half_);
}

std::string HeadTail::text() const {
  const std::string_view kept_tail = std::string_view(tail_).substr(tail_.size() - std::min(tail_.size(), half_));
  const std::uint64_t missing = total_ - head_.size() - kept_tail.size();
  if (missing == 0) return head_ + std::string(kept_tail);
  const std::string_view head = std::string_view(head_).substr(0, head_.size() - incomplete_utf8_tail(head_));
  const std::string_view tail = from_whole_character(kept_tail);
  const std::uint64_t left_out = total_ - head.size() - tail.size();
  return std::string(head) + "\n[… " + std::to_string(left_out) + " bytes left out …]\n" + std::string(tail);
}

}  // namespace base
