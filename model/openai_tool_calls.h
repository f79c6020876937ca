#pragma once

// Tool calls of OpenAI-style servers come in fragments, and every server cuts them differently. The rules here survive
// all known ones.

#include <string>
#include <string_view>
#include <vector>

#include "model/json.h"

namespace model {

/// One call being put together.
struct OpenAiCall {
  std::string id;
  std::string name;
  std::string arguments;
  Json extra = Json::object();  ///< Members we do not know; they go back with the call.
  long index = -1;              ///< -1: the server gave none.
  bool damaged = false;
};

/// Merges fragments into calls, in the order of their first appearance.
class OpenAiToolCalls {
 public:
  /// Takes one fragment. Returns how many bytes it made us keep.
  std::size_t add(const Json& fragment, bool damaged);

  bool empty() const { return calls_.empty(); }
  /// The calls; those without an id get one.
  std::vector<OpenAiCall> take();

 private:
  OpenAiCall& call_for(const Json& fragment);

  std::vector<OpenAiCall> calls_;
};

}  // namespace model
