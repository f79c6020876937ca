#pragma once

#include <string>
#include <string_view>

namespace safety {

/// Whether `word` stands in a list of words with a blank before and after each.
inline bool listed(std::string_view list, std::string_view word) {
  return list.find(" " + std::string(word) + " ") != std::string_view::npos;
}

}  // namespace safety
