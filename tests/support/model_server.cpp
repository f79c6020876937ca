#include "tests/support/model_server.h"

#include "tests/support/model_rules.h"
#include "tests/support/model_streams.h"

namespace test_server {

ModelServer::ModelServer(event::EventLoop& loop, Api api, HttpServer::Options options)
    : api_(api),
      http_(
          loop, [this](const HttpRequest& request) { return answer(request); }, std::move(options)) {}

std::string ModelServer::base_url() const {
  return http_.url() + (api_ == Api::openai ? "/v1" : "");
}

nlohmann::ordered_json ModelServer::body(std::size_t index) const {
  return nlohmann::ordered_json::parse(requests_.at(index).body, nullptr, false);
}

std::string ModelServer::refusal_of(const HttpRequest& request, int& status) {
  const auto has = [&](const char* name) { return request.headers.count(name) != 0; };
  status = 404;
  const std::string path = api_ == Api::anthropic ? "/v1/messages" : "/v1/chat/completions";
  if (!any_path_ && (request.method != "POST" || !request.target.ends_with(path)))
    return "Not Found: " + request.target;
  status = 401;
  if (api_ == Api::anthropic) {
    if (has("x-api-key") == has("authorization")) return "exactly one credential is required";
    if (has("authorization") &&
        (!has("anthropic-beta") || request.headers.at("anthropic-beta").find("oauth-2025-04-20") == std::string::npos))
      return "OAuth authentication is currently not supported.";
  } else if (!has("authorization")) {
    return "You didn't provide an API key.";
  }
  status = 400;
  if (api_ == Api::anthropic && !has("anthropic-version")) return "anthropic-version: header is required";
  if (!has("content-type") || request.headers.at("content-type") != "application/json")
    return "content-type must be application/json";
  const auto parsed = nlohmann::ordered_json::parse(request.body, nullptr, false);
  const auto refused =
      api_ == Api::anthropic ? model_rules::anthropic_refuses(parsed) : model_rules::openai_refuses(parsed);
  return refused.value_or("");
}

Reply ModelServer::answer(const HttpRequest& request) {
  requests_.push_back(request);
  int status = 400;
  if (const std::string why = refusal_of(request, status); !why.empty()) {
    refusals_.push_back(why);
    const nlohmann::ordered_json error{{"type", "error"},
                                       {"error", {{"type", "invalid_request_error"}, {"message", why}}}};
    return reply(status, error.dump(), {{"content-type", "application/json"}});
  }
  if (answers_.empty())
    return stream_reply(api_ == Api::anthropic ? model_streams::anthropic_text_turn()
                                               : model_streams::openai_text_turn());
  Reply next = std::move(answers_.front());
  answers_.pop_front();
  return next;
}

}  // namespace test_server
