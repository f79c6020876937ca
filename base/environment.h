#pragma once

#include <cstdlib>
#include <string>

namespace base {

/// A variable of the environment; "" when it is not set.
inline std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace base
