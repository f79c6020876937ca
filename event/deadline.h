#pragma once

#include <algorithm>
#include <chrono>

namespace event {

/// A moment by which something must have happened.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds from_now) : at_(std::chrono::steady_clock::now() + from_now) {}

  std::chrono::milliseconds left() const {
    using std::chrono::milliseconds;
    return std::max(std::chrono::ceil<milliseconds>(at_ - std::chrono::steady_clock::now()), milliseconds(0));
  }
  bool passed() const { return left().count() == 0; }

 private:
  std::chrono::steady_clock::time_point at_;
};

}  // namespace event
