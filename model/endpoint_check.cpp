#include "model/endpoint_check.h"
#include "http/failure.h"

#include <algorithm>
#include <utility>

#include "model/anthropic_client.h"
#include "model/http_error.h"
#include "model/openai_client.h"

namespace model {
namespace {

constexpr std::size_t kMaxCheckBody = 4u << 20;

std::vector<std::string> listed_models(std::string_view body) {
  std::vector<std::string> ids;
  const auto parsed = parse_json(body);
  const Json* data = parsed ? member(*parsed, "data") : nullptr;
  if (!data || !data->is_array()) return ids;
  for (const auto& entry : *data)
    if (const auto id = string_at(entry, "id"); !id.empty()) ids.push_back(one_line(id, 200));
  return ids;
}

bool offered(const std::vector<std::string>& list, const std::string& name) {
  // Ollama lists "qwen3:latest" and takes "qwen3".
  if (std::any_of(list.begin(), list.end(), [&](const auto& id) { return id == name || id == name + ":latest"; }))
    return true;
  // Servers take names that they list with a date, or not at all. Our own table says which; that of the settings also
  // has what the operator wrote, who may have mistyped it.
  return ModelTable().knows(name);
}

}  // namespace

EndpointCheck::EndpointCheck(event::EventLoop& loop, Settings settings, Done done)
    : settings_(std::move(settings)), done_(std::move(done)), http_(loop) {
  const bool anthropic = settings_.api == Api::anthropic;
  const std::string base(anthropic ? AnthropicDialect(settings_).base_url() : OpenAiDialect(settings_).base_url());
  auto request = http_request(settings_, base, anthropic ? "/v1/models" : "/models");
  http::Request ask;
  if (request)
    ask = std::move(*request);
  else
    wrong_ = request.error().message;
  ask.method = "GET";
  host_ = ask.unix_socket.empty() ? http::shown_host(ask.url) : ask.unix_socket;
  ask.headers =
      with_extra(anthropic ? anthropic_headers(settings_) : openai_headers(settings_), settings_.extra_headers);
  transfer_ =
      http_.start(std::move(ask), {[this](const http::Head& head) { head_ = head; },
                                   [this](std::string_view bytes) {
                                     if (body_.size() + bytes.size() <= kMaxCheckBody) body_.append(bytes);
                                   },
                                   [this](std::optional<http::Failure> failure) { finish(std::move(failure)); }});
}

void EndpointCheck::finish(std::optional<http::Failure> failure) {
  EndpointReport report = judge(failure);
  http::mask(report.message, settings_.api_key);
  http::mask(report.message, settings_.auth_token);
  if (auto done = std::move(done_)) done(std::move(report));
}

EndpointReport EndpointCheck::judge(const std::optional<http::Failure>& failure) const {
  EndpointReport report;
  if (!wrong_.empty()) return report.message = wrong_, report;
  if (head_.status == 0) return report.message = failure ? failure->message : host_ + " gave no answer", report;
  report.reachable = true;
  if (head_.status == 401 || head_.status == 403)
    return report.message = error_of_response(head_, body_, host_).message, report;
  report.key_accepted = true;
  if (head_.status != 200) {
    report.model_known = true;
    report.message = host_ + " answers but lists no models (status " + std::to_string(head_.status) + ")";
    return report;
  }
  report.models = listed_models(body_);
  const auto& list = report.models;
  report.model_known = list.empty() || offered(list, settings_.model);
  report.message = report.model_known ? host_ + " answers; key and model are fine"
                                      : host_ + " does not offer the model \"" + one_line(settings_.model, 100) +
                                            "\"; choose one of its " + std::to_string(list.size());
  return report;
}

}  // namespace model
