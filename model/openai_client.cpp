#include "model/openai_client.h"
#include "http/failure.h"

#include "model/http_error.h"
#include "model/openai_decoder.h"

namespace model {

OpenAiDialect::OpenAiDialect(Settings settings) : settings_(std::move(settings)) {
  quirks_.max_completion_tokens = base_url().starts_with("https://api.openai.com");
}

std::string_view OpenAiDialect::base_url() const {
  return settings_.base_url.empty() ? std::string_view("https://api.openai.com/v1") : settings_.base_url;
}

base::Result<http::Request> OpenAiDialect::prepare(const Request& request) const {
  const std::string& model = request.model.empty() ? settings_.model : request.model;
  if (model.empty()) return base::fail("no model is named; set `name` in [model] of the config, or --model");
  if (settings_.base_url.empty() && settings_.api_key.empty())
    return base::fail("there is no key for OpenAI; set OPENAI_API_KEY, or OPENAI_BASE_URL for another server");
  auto http = http_request(settings_, base_url(), "/chat/completions");
  if (!http) return http;
  http->headers = openai_headers(settings_);
  http->headers.emplace_back("content-type", "application/json");
  http->headers = with_extra(std::move(http->headers), settings_.extra_headers);
  http->body = dump_json(openai_body(request, settings_, quirks_, origin(model)));
  return http;
}

std::unique_ptr<TurnDecoder> OpenAiDialect::decoder(TurnSink sink) const {
  return std::make_unique<OpenAiDecoder>(std::move(sink), settings_.limits);
}

std::string OpenAiDialect::origin(const std::string& model) const {
  return "openai/" + http::shown_host(base_url()) + "/" + model;
}

}  // namespace model
