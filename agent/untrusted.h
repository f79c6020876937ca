#pragma once

#include <string>
#include <string_view>

namespace agent {

/// Text from a remote host between marks that it cannot contain: whatever stands inside is data, not instructions. The
/// tag is random and new for each question.
std::string fence(std::string_view text, std::string_view tag);

/// The text inside a fence; the whole text when it has none.
std::string_view inside_fence(std::string_view text);

/// 64 random bits in hexadecimal.
std::string random_tag();

}  // namespace agent
