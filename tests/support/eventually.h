#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace support {

/// Looks again and again until it is so: for what another process or thread does without telling us.
inline bool eventually(const std::function<bool()>& so,
                       std::chrono::milliseconds limit = std::chrono::milliseconds(20'000)) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (!so()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace support
