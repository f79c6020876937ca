#pragma once

#include <string>
#include <string_view>

#include "model/http_client.h"
#include "model/turn.h"

namespace model {

/// "host:port" of a URL, without user, password, path or query: what may be shown.
std::string shown_host(std::string_view url);

/// What a libcurl failure means to the operator. `detail` is libcurl's own sentence.
HttpFailure describe_failure(int curl_code, const HttpRequest& request, std::string_view detail);

/// The error that a response with a failing status carries, from whatever body came with it.
TurnError error_of_response(const HttpHead& head, std::string_view body, std::string_view host);

/// Replaces the secret wherever it occurs, for servers that quote what they were sent.
void mask(std::string& text, std::string_view secret);

}  // namespace model
