#pragma once

#include <string_view>

#include "panel/rich_text.h"

namespace panel {

/// Lays out a piece of markdown in rows of at most `width` cells. The text is clean (safety::sanitize); bounded work
/// is the caller's: md4c is quick, but pieces should stay below kLargestPiece.
Lines render_markdown(std::string_view text, int width, const Signs& signs);

/// Longer pieces are cut by whoever streams them, so that laying one out again stays cheap.
inline constexpr std::size_t kLargestPiece = 8 * 1024;

/// The rows of a code block: a line with its language and the key that inserts it, then the code behind a bar.
/// The three parts are laid out apart, so that a block can grow line by line.
Line code_head(std::string_view language, std::string_view remark, int width, int indent, const Signs& signs);
void add_code_line(std::string_view code, std::string_view language, int width, int indent, const Signs& signs,
                   Lines& out);
Line code_foot(int width, int indent, const Signs& signs);

}  // namespace panel
