#pragma once

#include <string>
#include <string_view>

namespace model {

/// What some servers put in front of a stream.
inline constexpr std::string_view kBom = "\xEF\xBB\xBF";

/// Whether `text` is well-formed UTF-8. Runs over plain ASCII eight bytes at a time.
bool is_utf8(std::string_view text);

/// `text` itself when it is well-formed UTF-8; otherwise a copy, kept in `scratch`, in which each malformed part is one
/// U+FFFD, cut where a web browser would cut it (the longest beginning of a character that could have become valid).
std::string_view valid_utf8(std::string_view text, std::string& scratch);

/// Whether the text has no character to be seen: empty, or nothing but Unicode white space.
bool is_blank(std::string_view text);

}  // namespace model
