#pragma once

#include "model/anthropic_request.h"
#include "model/http_model_client.h"

namespace model {

/// How requests to Anthropic's Messages API, or to a gateway that speaks it, are made.
class AnthropicDialect final : public Dialect {
 public:
  explicit AnthropicDialect(Settings settings) : settings_(std::move(settings)) {}

  base::Result<http::Request> prepare(const Request& request) const override;
  std::unique_ptr<TurnDecoder> decoder(TurnSink sink) const override;
  bool adapt(const TurnError& error, const Request& request) override;
  const Settings& settings() const override { return settings_; }
  std::string origin(const std::string& model) const override;

  std::string_view base_url() const;

 private:
  Settings settings_;
  AnthropicQuirks quirks_;
};

/// Talks to Claude.
class AnthropicClient final : public HttpModelClient {
 public:
  AnthropicClient(event::EventLoop& loop, Settings settings, std::function<double()> random = {})
      : HttpModelClient(loop, std::make_shared<AnthropicDialect>(std::move(settings)), std::move(random)) {}
};

}  // namespace model
