#include "app/assistant/model_settings.h"

#include <algorithm>
#include <cstdlib>

#include "app/config/secret_source.h"
#include "base/environment.h"

namespace app {
namespace {

using base::environment;

std::string first_of(const std::string& wanted, const std::string& otherwise) {
  return wanted.empty() ? otherwise : wanted;
}

base::Result<std::string> configured_key(const Config& config) {
  return read_secret({config.model_api_key_command, config.model_api_key_file}, "model.api_key");
}

base::Result<Provider> chosen_provider(const std::string& name) {
  if (name == "anthropic") return Provider::anthropic;
  if (name == "openai") return Provider::openai;
  if (name == "offline") return Provider::offline;
  if (!name.empty()) return base::fail("no provider `" + name + "`; there are anthropic, openai and offline");
  if (!environment("ANTHROPIC_API_KEY").empty() || !environment("ANTHROPIC_AUTH_TOKEN").empty())
    return Provider::anthropic;
  if (!environment("OPENAI_API_KEY").empty() || !environment("OPENAI_BASE_URL").empty()) return Provider::openai;
  return Provider::offline;
}

std::chrono::milliseconds seconds(double number) {
  return std::chrono::milliseconds(static_cast<long>(number * 1000));
}

/// "Name: value", as it stands in a request.
base::Result<std::pair<std::string, std::string>> header(const std::string& line) {
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string::npos || line.find_first_of("\r\n") != std::string::npos)
    return base::fail("`model.headers` wants entries such as \"X-Team: sre\"");
  const std::size_t value = line.find_first_not_of(' ', colon + 1);
  return std::pair(line.substr(0, colon), value == std::string::npos ? "" : line.substr(value));
}

base::Result<void> add_wishes(model::Settings& settings, const Config& config) {
  if (config.model_thinking == "on") settings.thinking = model::ThinkingWish::on;
  if (config.model_thinking == "off") settings.thinking = model::ThinkingWish::off;
  settings.proxy = config.model_proxy;
  settings.betas = config.model_betas;
  settings.timing.connect = seconds(config.model_connect_s);
  settings.timing.stall_note = seconds(config.model_stall_note_s);
  settings.timing.retries = static_cast<int>(config.model_retries);
  settings.timing.stall_abort = seconds(config.model_stall_abort_s);
  settings.timing.total = seconds(config.model_total_s);
  for (const auto& line : config.model_headers) {
    auto parsed = header(line);
    if (!parsed) return base::fail(parsed.error());
    settings.extra_headers.push_back(std::move(*parsed));
  }
  if (settings.model.empty()) return {};
  model::ModelInfo info = settings.models.find(settings.model);
  // From here on the table knows the model and its limit holds; of one that it did not know, the operator knows better.
  if (!settings.models.knows(settings.model)) info.max_output = std::max(info.max_output, settings.max_tokens);
  if (config.model_input_price >= 0) info.input_price = config.model_input_price;
  if (config.model_output_price >= 0) info.output_price = config.model_output_price;
  if (config.model_context_window > 0) info.context_window = static_cast<long>(config.model_context_window);
  settings.models.set(settings.model, info);
  return {};
}

}  // namespace

std::string_view name_of(Provider provider) {
  switch (provider) {
    case Provider::anthropic:
      return "anthropic";
    case Provider::openai:
      return "openai";
    case Provider::offline:
      return "offline";
  }
  return "offline";
}

base::Result<ModelSetup> model_setup(const ModelChoice& choice, const Config& config) {
  const auto provider = chosen_provider(first_of(choice.provider, config.model_provider));
  if (!provider) return base::fail(provider.error());
  ModelSetup setup;
  setup.provider = *provider;
  if (setup.provider == Provider::offline) return setup;
  const bool anthropic = setup.provider == Provider::anthropic;
  const auto key = configured_key(config);
  if (!key) return base::fail(key.error());
  model::Settings& settings = setup.settings;
  settings.api = anthropic ? model::Api::anthropic : model::Api::openai;
  settings.base_url =
      first_of(config.model_base_url, environment(anthropic ? "ANTHROPIC_BASE_URL" : "OPENAI_BASE_URL"));
  settings.api_key = first_of(*key, environment(anthropic ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY"));
  // One credential only: a key beats a token.
  if (anthropic && settings.api_key.empty()) settings.auth_token = environment("ANTHROPIC_AUTH_TOKEN");
  settings.model = first_of(choice.model, config.model_name);
  settings.fallback_model = config.model_fallback;
  settings.ca_file = config.model_ca_file;
  settings.max_tokens = static_cast<long>(config.model_max_tokens);
  settings.effort = config.model_effort;
  if (auto added = add_wishes(settings, config); !added) return base::fail(added.error());
  return setup;
}

}  // namespace app
