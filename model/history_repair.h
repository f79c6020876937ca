#pragma once

// A conversation that the API refuses once is refused on every later turn. So before each request the stored history is
// brought into a form that is accepted, whatever a crash, a cancel or an older version left in it.

#include <vector>

#include "model/debug_stream.h"
#include "model/message.h"

namespace model {

/// The same conversation in a form that the API accepts. A valid one comes back unchanged; repairing twice changes
/// nothing more; appending a user message and what follows does not change how the earlier ones are repaired. What is
/// done:
/// - turns alternate, begin with the user and end with the user (or with a paused assistant turn);
/// - every call is answered in the next message, results first, each once; answers without a call are dropped;
/// - no empty text, no unsigned thinking (Anthropic), no call after which text follows;
/// - call ids are unique and, for Anthropic, made of the permitted characters, on both sides of the pair.
std::vector<Message> repaired(std::vector<Message> messages, Api api);

}  // namespace model
