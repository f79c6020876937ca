#pragma once

#include <string_view>

#include "panel/rich_text.h"

namespace panel {

/// Shell text with its words told apart: what is run, options, quoted text, expansions, operators, comments. Every
/// character of the text is there, in order.
Spans color_shell(std::string_view text);

}  // namespace panel
