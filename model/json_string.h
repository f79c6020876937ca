#pragma once

#include <string>
#include <string_view>

namespace model {

/// The JSON string at the front of a text, read without a parser.
struct JsonString {
  std::string_view value;  ///< Points into the text, or into the scratch when escapes had to be undone.
  std::string_view rest;   ///< What follows the closing quote.
};

/// Reads the string whose first character (after the opening quote) `text` begins with; `text` must be well-formed
/// UTF-8. False for whatever a strict parser might refuse: the caller then asks that parser.
bool read_json_string(std::string_view text, std::string& scratch, JsonString& out);

}  // namespace model
