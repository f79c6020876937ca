#pragma once

#include <string_view>

#include "panel/rich_text.h"

namespace panel {

/// The rows of a code block: a line with its language and the key that inserts it, then the code behind a bar.
/// The three parts are laid out apart, so that a block can grow line by line.
Line code_head(std::string_view language, std::string_view remark, int width, int indent, const Signs& signs);
void add_code_line(std::string_view code, std::string_view language, int width, int indent, const Signs& signs,
                   Lines& out);
Line code_foot(int width, int indent, const Signs& signs);

}  // namespace panel
