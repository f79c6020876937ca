#pragma once

#include <string>

#include "terminal/modes.h"

namespace support {

/// Every mode by name, for a test to compare and to show. Which mode switched to the alternate screen counts only
/// while it is on.
std::string describe(const terminal::Modes& modes);

std::string describe(const terminal::Style& style);

}  // namespace support
