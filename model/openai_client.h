#pragma once

#include "model/http_model_client.h"
#include "model/openai_request.h"

namespace model {

/// How requests to an OpenAI-style server are made.
class OpenAiDialect final : public Dialect {
 public:
  explicit OpenAiDialect(Settings settings);

  base::Result<http::Request> prepare(const Request& request) const override;
  std::unique_ptr<TurnDecoder> decoder(TurnSink sink) const override;
  bool adapt(const TurnError& error, const Request&) override { return learn_from(error, error.param, quirks_); }
  const Settings& settings() const override { return settings_; }
  std::string origin(const std::string& model) const override;

  std::string_view base_url() const;

 private:
  Settings settings_;
  OpenAiQuirks quirks_;
};

/// Talks to OpenAI and everything compatible with it.
class OpenAiClient final : public HttpModelClient {
 public:
  OpenAiClient(event::EventLoop& loop, Settings settings, std::function<double()> random = {})
      : HttpModelClient(loop, std::make_shared<OpenAiDialect>(std::move(settings)), std::move(random)) {}
};

}  // namespace model
