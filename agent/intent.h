#pragma once

#include <string>

#include "model/json.h"

namespace agent {

/// What the model says about a call it wants to make. People read it before they answer; no decision hangs on it.
struct Intent {
  std::string purpose;
  std::string check;     ///< How it will be seen that the change worked.
  std::string backup;    ///< What keeps the old state.
  std::string rollback;  ///< How the change is taken back.

  bool operator==(const Intent&) const = default;
};

/// The schema's properties for it: the purpose alone, or also the three about a change.
model::Json purpose_property();
void add_change_properties(model::Json& properties);

/// Reads it from a call's input; each line bounded.
Intent intent_of(const model::Json& input);

/// The input without it: the same for the same call, however the model words it.
model::Json without_intent(const model::Json& input);

}  // namespace agent
