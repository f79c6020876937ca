#pragma once

#include <string>

#include "app/config/config.h"
#include "base/result.h"
#include "model/settings.h"

namespace app {

/// Who answers: a provider's API, or the offline runbook engine.
enum class Provider { anthropic, openai, offline };
std::string_view name_of(Provider provider);

/// What --provider and --model say; empty: not given.
struct ModelChoice {
  std::string provider;
  std::string model;
};

struct ModelSetup {
  Provider provider = Provider::offline;
  model::Settings settings;  ///< Meaningless when offline.
};

/// Puts command line, config and environment together, in this order. Without any word on it: Anthropic if its key is
/// set, else OpenAI if its key or base URL is set, else offline. Runs `api_key_command` when one is configured.
base::Result<ModelSetup> model_setup(const ModelChoice& choice, const Config& config);

}  // namespace app
