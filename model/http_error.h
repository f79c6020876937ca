#pragma once

#include <string_view>

#include "http/client.h"
#include "model/turn.h"

namespace model {

/// The error that a response with a failing status carries, from whatever body came with it.
TurnError error_of_response(const http::Head& head, std::string_view body, std::string_view host);

}  // namespace model
