#pragma once

// JSON as JumpServer sends it: nothing throws, absent and null are the same, a choice may be an object or its value.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace transport::jumpserver {

using Json = nlohmann::json;

/// The parsed text without what lies deeper than any answer of JumpServer's; is_discarded() when it is no JSON.
Json parse_json(std::string_view text);

/// The member `key`, or null for anything that has none.
const Json& at(const Json& value, const char* key);

/// A string member; a number is written out; "" for anything else.
std::string text_at(const Json& value, const char* key);

/// `{"value":"ssh","label":"SSH"}` or plain "ssh".
std::string choice_at(const Json& value, const char* key);

bool flag_at(const Json& value, const char* key, bool otherwise);
long number_at(const Json& value, const char* key, long otherwise);

}  // namespace transport::jumpserver
