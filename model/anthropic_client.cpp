#include "model/anthropic_client.h"
#include "http/failure.h"

#include "model/anthropic_decoder.h"
#include "model/http_error.h"

namespace model {

std::string_view AnthropicDialect::base_url() const {
  return settings_.base_url.empty() ? std::string_view("https://api.anthropic.com") : settings_.base_url;
}

base::Result<http::Request> AnthropicDialect::prepare(const Request& request) const {
  if (settings_.api_key.empty() && settings_.auth_token.empty())
    return base::fail("there is no key for Anthropic; set ANTHROPIC_API_KEY or api_key_command in the config");
  if (request.model.empty() && settings_.model.empty())
    return base::fail("no model is named; set `name` in [model] of the config, or --model");
  auto http = http_request(settings_, base_url(), "/v1/messages");
  if (!http) return http;
  http->headers = anthropic_headers(settings_);
  http->headers.emplace_back("content-type", "application/json");
  http->headers = with_extra(std::move(http->headers), settings_.extra_headers);
  http->body = dump_json(anthropic_body(request, settings_, quirks_));
  return http;
}

std::unique_ptr<TurnDecoder> AnthropicDialect::decoder(TurnSink sink) const {
  return std::make_unique<AnthropicDecoder>(std::move(sink), settings_.limits);
}

bool AnthropicDialect::adapt(const TurnError& error, const Request& request) {
  const auto says = [&](std::string_view words) { return error.message.find(words) != std::string::npos; };
  if (error.status == 400 && says("thinking") && (says("signature") || says("cannot be modified"))) {
    const bool worse = request.messages.size() > quirks_.strip_thinking_before;
    quirks_.strip_thinking_before = request.messages.size();
    return worse;
  }
  // A model newer than our table, or a gateway: better without the wish than without an answer. Complaints about the
  // blocks of the history say "thinking block"; leaving out the option would not help those.
  const bool about_option = says("thinking.") || says("adaptive thinking");
  if (error.status != 400 || quirks_.no_thinking || !about_option) return false;
  quirks_.no_thinking = true;
  return true;
}

std::string AnthropicDialect::origin(const std::string& model) const {
  return "anthropic/" + http::shown_host(base_url()) + "/" + model;
}

}  // namespace model
