#pragma once

#include <string>
#include <string_view>

namespace base {

/// With padding, in one line.
std::string base64_encode(std::string_view bytes);

}  // namespace base
