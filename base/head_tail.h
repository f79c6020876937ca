#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace base {

/// Keeps the beginning and the end of a text of any length in bounded memory.
class HeadTail {
 public:
  /// Keeps about `limit` bytes in all, half of them from the front.
  explicit HeadTail(std::size_t limit);

  void append(std::string_view bytes);

  std::uint64_t total_bytes() const { return total_; }
  bool truncated() const { return total_ > head_.size() + tail_.size(); }

  /// The whole text, or its head and tail around a line that says how much is missing. Cuts fall between characters.
  std::string text() const;

 private:
  std::size_t half_;
  std::string head_;
  std::string tail_;
  std::uint64_t total_ = 0;
};

}  // namespace base
