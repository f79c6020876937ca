#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace model {

/// Separates `<think>…</think>` at the beginning of an answer from the answer itself, for servers that have no field
/// for reasoning. The tags may be cut anywhere. Once the answer proper has begun, text passes through untouched.
class ThinkTags {
 public:
  using Out = std::function<void(std::string_view)>;
  ThinkTags(Out text, Out thinking) : text_(std::move(text)), thinking_(std::move(thinking)) {}

  void feed(std::string_view piece);
  /// The answer has ended: hands out what was held back.
  void finish();

 private:
  enum class State { beginning, thinking, after, answer };

  void step_beginning();
  void step_thinking();
  void step_after();

  Out text_, thinking_;
  State state_ = State::beginning;
  std::string held_;  ///< What cannot be decided about yet.
};

}  // namespace model
