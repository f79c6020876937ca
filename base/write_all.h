#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace base {

/// Writes everything, in as many pieces as it takes. `path` is for the sentence when it fails; then a part may be
/// written.
Result<void> write_all(int fd, std::string_view bytes, const std::string& path);

}  // namespace base
