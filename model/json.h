#pragma once

// JSON as this room uses it: keys keep their order (prompt caching wants the same bytes every time), parsing is bounded
// in depth, and nothing throws.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/one_line.h"

namespace model {

using Json = nlohmann::ordered_json;

/// Deeper nesting than this is refused: writing JSON out again recurses.
inline constexpr int kMaxJsonDepth = 128;

/// Strict JSON, or nothing; nothing, too, for what is nested too deeply or has more than 16,000 members.
std::optional<Json> parse_json(std::string_view text);

/// The same text with each `\uD83D`-like half of a surrogate pair that has lost its other half written as `\uFFFD`.
/// Gateways that cut text by UTF-16 units produce such halves.
std::string without_lone_surrogates(std::string_view text);

/// One line of JSON; malformed UTF-8 becomes U+FFFD.
std::string dump_json(const Json& value);

/// The member `key` of an object; nullptr when `value` is no object, lacks it or holds null there.
const Json* member(const Json& value, std::string_view key);

/// A string member, or "" for anything else. The view lives as long as `value`.
std::string_view string_at(const Json& value, std::string_view key);

/// A whole-number member.
std::optional<long> number_at(const Json& value, std::string_view key);

using base::one_line;

}  // namespace model
