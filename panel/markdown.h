#pragma once

#include <string_view>

#include "panel/rich_text.h"

namespace panel {

/// Lays out a piece of markdown in rows of at most `width` cells. The text is clean (safety::sanitize); bounded work
/// is the caller's: md4c is quick, but pieces should stay below kLargestPiece.
Lines render_markdown(std::string_view text, int width, const Signs& signs);

/// Longer pieces are cut by whoever streams them, so that laying one out again stays cheap.
inline constexpr std::size_t kLargestPiece = 8 * 1024;

}  // namespace panel
