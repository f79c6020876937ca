#pragma once

#if defined(__SANITIZE_ADDRESS__)  // As gcc says it; clang has a question of its own.
#define JMS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define JMS_SANITIZED 1
#endif
#endif

#if defined(JMS_SANITIZED)
#include <sanitizer/lsan_interface.h>
#endif

namespace support {

/// True in a build whose memory and timing figures say nothing about the product.
constexpr bool sanitized_build() {
#if defined(JMS_SANITIZED)
  return true;
#else
  return false;
#endif
}

/// What is allocated while one of these lives may leak: the leak is a library's, and known.
class LeakOfALibrary {
 public:
#if defined(JMS_SANITIZED)
  LeakOfALibrary() {
    __lsan_disable();
  }
  ~LeakOfALibrary() {
    __lsan_enable();
  }
#else
  LeakOfALibrary() {}
#endif
  LeakOfALibrary(const LeakOfALibrary&) = delete;
  LeakOfALibrary& operator=(const LeakOfALibrary&) = delete;
};

}  // namespace support
