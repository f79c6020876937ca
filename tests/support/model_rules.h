#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

// What the real APIs refuse, written from the wire reference and on purpose independent of the code that builds
// requests. A request that passes here is one the API would take.
namespace model_rules {

using Json = nlohmann::ordered_json;

/// The message of the 400 that Anthropic's Messages API would answer with; nothing when the request is acceptable.
std::optional<std::string> anthropic_refuses(const Json& body);

/// Likewise for a strict OpenAI-style chat completions server.
std::optional<std::string> openai_refuses(const Json& body);

}  // namespace model_rules
