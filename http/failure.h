#pragma once

#include <string>
#include <string_view>

#include "http/client.h"

namespace http {

/// "host:port" of a URL, without user, password, path or query: what may be shown.
std::string shown_host(std::string_view url);

/// What a libcurl failure means to the operator. `detail` is libcurl's own sentence.
Failure describe_failure(int curl_code, const Request& request, std::string_view detail);

/// The first words of a body that is no JSON; of a web page its title.
std::string plain_words(std::string_view body);

/// Replaces the secret wherever it occurs, for servers that quote what they were sent.
void mask(std::string& text, std::string_view secret);

}  // namespace http
