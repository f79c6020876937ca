#pragma once

#include <string>
#include <utility>
#include <vector>

#include "http/client.h"
#include "model/model_client.h"
#include "model/settings.h"

namespace model {

/// What a server turned out not to accept, learned from its refusals and kept for the session.
struct AnthropicQuirks {
  bool no_thinking = false;
  std::size_t strip_thinking_before =
      0;  ///< Messages before this one lose their thinking: its signatures were refused.
};

/// The body of a Messages API request. The same request gives the same bytes; a longer conversation repeats the bytes
/// of the shorter one in `system`, `tools` and the old messages, except for the cache marks.
Json anthropic_body(const Request& request, const Settings& settings, const AnthropicQuirks& quirks = {});

/// Everything but content-type. Exactly one credential.
http::Headers anthropic_headers(const Settings& settings);

}  // namespace model
