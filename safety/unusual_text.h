#pragma once

#include <string>
#include <string_view>

namespace safety {

/// Whether a character hides or reorders text: bidi controls, zero-width, tags, variation selectors, fillers,
/// separators.
bool is_hidden_character(char32_t code);

/// Blanks that are not the space bar's: they look like separators and are none.
bool is_unusual_space(char32_t code);

/// Why a command must not be typed at all, or nothing: control characters, hidden characters, look-alike letters,
/// broken UTF-8. The sentence names the character and its place.
std::string refusal_of(std::string_view command);

}  // namespace safety
