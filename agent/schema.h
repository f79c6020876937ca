#pragma once

#include "base/result.h"
#include "model/json.h"

namespace agent {

/// Whether `input` fits the part of JSON Schema that tools use: object, required, properties with type, enum, minimum,
/// maximum, minLength, maxLength, and additionalProperties false. The error names the field and what it should be.
base::Result<void> check_input(const model::Json& schema, const model::Json& input);

}  // namespace agent
