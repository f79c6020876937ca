#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "http/client.h"
#include "model/model_client.h"
#include "model/settings.h"
#include "model/turn_decoder.h"

namespace model {

/// What differs between providers when a request is made. One for each client; it remembers what the server refused.
class Dialect {
 public:
  virtual ~Dialect() = default;

  /// The HTTP request for `request`, complete with credentials.
  virtual base::Result<http::Request> prepare(const Request& request) const = 0;
  virtual std::unique_ptr<TurnDecoder> decoder(TurnSink sink) const = 0;
  /// Whether the refusal is about something we can leave out: then it is left out from now on, and the request is
  /// worth repeating at once.
  virtual bool adapt(const TurnError& error, const Request& request) = 0;
  virtual const Settings& settings() const = 0;
  /// Names the server and the model, for Message::origin.
  virtual std::string origin(const std::string& model) const = 0;
};

/// An address taken apart for http::Request.
struct Endpoint {
  std::string url;
  std::string unix_socket;
};

/// The address of `path` below a base URL: `https://host/prefix` or `unix:///path.sock[:/prefix]`. One trailing slash
/// of the base is dropped, and parts of `path` that the base already ends with are not repeated.
base::Result<Endpoint> endpoint(std::string_view base_url, std::string_view path);

/// Our headers with the operator's beside them. One that names a credential replaces ours, so that there is never a
/// second; `anthropic-beta` is appended to.
http::Headers with_extra(http::Headers ours, const http::Headers& extra);

/// An HTTP request to the endpoint with everything that the settings say about the connection.
base::Result<http::Request> http_request(const Settings& settings, std::string_view base_url, std::string_view path);

}  // namespace model
