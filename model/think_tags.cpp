#include "model/think_tags.h"

#include <algorithm>
#include <utility>

namespace model {
namespace {

constexpr std::string_view kOpen = "<think>", kClose = "</think>", kBlanks = " \t\r\n";

/// How many bytes at the end of `text` could be the beginning of `tag`.
std::size_t partial_tag(std::string_view text, std::string_view tag) {
  for (std::size_t size = std::min(text.size(), tag.size() - 1); size > 0; --size)
    if (text.ends_with(tag.substr(0, size))) return size;
  return 0;
}

}  // namespace

void ThinkTags::feed(std::string_view piece) {
  if (state_ == State::answer) return text_(piece);
  held_.append(piece);
  if (state_ == State::beginning) step_beginning();
  if (state_ == State::thinking) step_thinking();
  if (state_ == State::after) step_after();
}

void ThinkTags::step_beginning() {
  const auto first = held_.find_first_not_of(kBlanks);
  if (first == std::string::npos && held_.size() < 256) return;
  const std::string_view start =
      first == std::string::npos ? std::string_view() : std::string_view(held_).substr(first);
  if (start.starts_with(kOpen)) {
    held_.erase(0, first + kOpen.size());
    state_ = State::thinking;
  } else if (start.empty() || !kOpen.starts_with(start)) {
    state_ = State::answer;
    text_(std::exchange(held_, {}));
  }
}

void ThinkTags::step_thinking() {
  const auto close = held_.find(kClose);
  const std::size_t ready = close != std::string::npos ? close : held_.size() - partial_tag(held_, kClose);
  if (ready > 0) thinking_(std::string_view(held_).substr(0, ready));
  held_.erase(0, ready);
  if (close == std::string::npos) return;
  held_.erase(0, kClose.size());
  state_ = State::after;
}

void ThinkTags::step_after() {
  // The blank lines between the closing tag and the answer belong to neither.
  held_.erase(0, held_.find_first_not_of(kBlanks));
  if (held_.empty()) return;
  state_ = State::answer;
  text_(std::exchange(held_, {}));
}

void ThinkTags::finish() {
  const std::string rest = std::exchange(held_, {});
  if (!rest.empty() && state_ != State::after) (state_ == State::thinking ? thinking_ : text_)(rest);
}

}  // namespace model
