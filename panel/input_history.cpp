#include "panel/input_history.h"

#include <algorithm>
#include <set>

#include "base/words.h"

namespace panel {

void InputHistory::add(std::string_view text) {
  at_.reset();
  const bool blank = text.find_first_not_of(" \t\n") == std::string_view::npos;
  if (blank || text.size() > kLongest || (!entries_.empty() && entries_.back() == text)) return;
  entries_.emplace_back(text);
  if (entries_.size() > kMost) entries_.pop_front();
}

std::optional<std::string> InputHistory::older(std::string_view draft) {
  const std::size_t at = at_.value_or(entries_.size());
  if (at == 0) return std::nullopt;
  if (!at_) draft_ = draft;
  at_ = at - 1;
  return entries_[*at_];
}

std::optional<std::string> InputHistory::newer() {
  if (!at_) return std::nullopt;
  if (++*at_ < entries_.size()) return entries_[*at_];
  at_.reset();
  return draft_;
}

std::optional<std::string> InputHistory::find(std::string_view text, std::size_t skip) const {
  std::set<std::string_view> seen;
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (!base::mentions(*entry, text) || !seen.insert(*entry).second) continue;
    if (skip-- == 0) return *entry;
  }
  return std::nullopt;
}

std::vector<std::string> InputHistory::recent(std::size_t most) const {
  std::set<std::string_view> seen;
  std::vector<std::string> result;
  for (auto entry = entries_.rbegin(); entry != entries_.rend() && result.size() < most; ++entry)
    if (seen.insert(*entry).second) result.push_back(*entry);
  return result;
}

}  // namespace panel
