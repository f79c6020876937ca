#pragma once

#include "terminal/capabilities.h"
#include "terminal/cell.h"

namespace terminal {

/// The xterm palette's nearest entry among all 256 that do not depend on the operator's theme (16 to 255).
std::uint8_t nearest_of_256(Color rgb);
/// The nearest of the first sixteen, as xterm shows them.
std::uint8_t nearest_of_16(Color color);

/// A style as this terminal can show it: colours brought down to what it has, attributes it lacks left out. Two colours
/// that differ never become the same one for text and background, which would hide the text.
Style degrade(const Style& style, const Capabilities& capabilities);

}  // namespace terminal
