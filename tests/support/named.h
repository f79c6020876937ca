#pragma once

#include <ostream>

namespace support {

/// A test's parameter with the name that its test carries; lists of tests and failures show the name.
template <typename T>
struct Named {
  T value;
  const char* name;

  friend std::ostream& operator<<(std::ostream& out, const Named& one) { return out << one.name; }
};

}  // namespace support
