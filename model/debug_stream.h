#pragma once

#include <memory>
#include <string_view>

#include "model/json.h"
#include "model/turn_decoder.h"

namespace model {

enum class Api { anthropic, openai };

/// "anthropic" or "openai"; nothing for any other word.
std::optional<Api> api_named(std::string_view name);

/// A decoder for responses of this API.
std::unique_ptr<TurnDecoder> make_decoder(Api api, TurnSink sink, TurnLimits limits = {});

/// A turn in the shape that `jms debug stream --json` prints.
Json describe(const Turn& turn);

/// The turn that a response body decodes to: what `jms debug stream` prints.
Json debug_stream(Api api, std::string_view body);

}  // namespace model
