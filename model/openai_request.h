#pragma once

#include <string>

#include "model/anthropic_request.h"
#include "model/model_client.h"
#include "model/settings.h"

namespace model {

/// What a server turned out not to accept, learned from its refusals and kept for the session.
struct OpenAiQuirks {
  bool max_completion_tokens = false;  ///< Instead of `max_tokens`.
  bool no_max_tokens = false;          ///< Neither.
  bool no_stream_options = false;
  bool no_parallel_tool_calls = false;
  bool no_tool_choice = false;
  bool no_reasoning_effort = false;
  bool empty_content = false;  ///< `""` instead of null beside calls.

  friend bool operator==(const OpenAiQuirks&, const OpenAiQuirks&) = default;
};

/// The body of a chat completions request. `origin` names this server and model: reasoning is sent back only to where
/// it came from.
Json openai_body(const Request& request, const Settings& settings, const OpenAiQuirks& quirks,
                 const std::string& origin);

/// Everything but content-type.
http::Headers openai_headers(const Settings& settings);

/// Whether a refusal tells of a parameter we can do without; then `quirks` says so and the request may be repeated.
bool learn_from(const TurnError& error, std::string_view param, OpenAiQuirks& quirks);

}  // namespace model
