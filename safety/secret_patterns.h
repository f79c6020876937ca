#pragma once

#include <span>
#include <string_view>

namespace safety {

/// How sure a match must be before it counts.
enum class Check : unsigned char {
  None,    ///< The shape says it all (AKIA…).
  Value,   ///< Not a reference, a mask, a path or an ordinary word.
  Strong,  ///< As Value, and long and mixed enough to be random.
};

/// One family of secrets: group 1 of the pattern is what is masked.
struct SecretPattern {
  std::string_view kind;
  std::string_view regex;
  Check check = Check::None;
};

std::span<const SecretPattern> built_in_secret_patterns();

/// A pattern that matches wherever one of the others could: most lines of a log do not, and are looked at no further.
std::string_view secret_prefilter();

/// Whether a value is worth masking: not a reference such as ${VAR}, not masked already, not a plain word or path.
bool is_secret_value(std::string_view value, Check check);

}  // namespace safety
