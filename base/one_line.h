#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace base {

/// Text from elsewhere made fit for one line of a message: no control characters, malformed UTF-8 as U+FFFD, cut
/// between characters at about `limit` bytes.
std::string one_line(std::string_view text, std::size_t limit = 400);

}  // namespace base
