#pragma once

#include <string>
#include <vector>

namespace support {

/// The null-terminated array that execve() wants; valid as long as `strings`.
inline std::vector<char*> c_strings(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const auto& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace support
