#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace panel {

/// A suggested command as it may be typed at the terminal's prompt without running it: one line, no control
/// characters, no Enter. Several whole commands are joined with "; "; what would change its meaning by that is refused.
base::Result<std::string> insertable(std::string_view code);

}  // namespace panel
