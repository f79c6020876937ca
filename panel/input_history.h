#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace panel {

/// What was submitted before, the oldest first, and where the operator is in it. Bounded. Passive: whoever keeps it in
/// a file gives it back with add().
class InputHistory {
 public:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kLongest = 8 * 1024;  ///< Longer ones are not kept.

  /// The same as the last one, a blank one or a very long one is not added. Goes back to the end.
  void add(std::string_view text);
  bool empty() const { return entries_.empty(); }

  /// One step back; `draft`, what is being typed, comes back after the newest. Nothing at the oldest.
  std::optional<std::string> older(std::string_view draft);
  std::optional<std::string> newer();
  /// Back to the end without taking anything.
  void leave() { at_.reset(); }
  bool browsing() const { return at_.has_value(); }

  /// The newest entry that contains `text` (either case), the `skip`-th of them; equal ones count once.
  std::optional<std::string> find(std::string_view text, std::size_t skip) const;
  /// The newest first, each once, at most `most`.
  std::vector<std::string> recent(std::size_t most) const;

 private:
  std::deque<std::string> entries_;
  std::optional<std::size_t> at_;
  std::string draft_;
};

}  // namespace panel
