#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "model/debug_stream.h"
#include "model/model_table.h"
#include "model/turn_decoder.h"

namespace model {

/// How long things may take. All configurable, so that tests are quick.
struct Timing {
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds stall_note{30'000};   ///< Silence after which the operator is told.
  std::chrono::milliseconds stall_abort{90'000};  ///< Silence after which the request is given up.
  std::chrono::milliseconds total{600'000};       ///< One request with all its repeats.
  int retries = 4;
  std::chrono::milliseconds first_wait{500};             ///< Doubles with each repeat …
  std::chrono::milliseconds longest_wait{8'000};         ///< … up to this.
  std::chrono::milliseconds longest_asked_wait{60'000};  ///< A server that asks for more is not waited for.
  int overloads_before_fallback = 3;
};

enum class ThinkingWish { automatic, off, on };

/// Where a model is reached and how it is asked. Filled from config and environment by `app`.
struct Settings {
  Api api = Api::anthropic;
  std::string base_url;    ///< Empty: the provider's own. `unix:///path.sock[:/prefix]` for a socket.
  std::string api_key;     ///< This or `auth_token`, never both.
  std::string auth_token;  ///< OAuth bearer (Anthropic).
  std::string model;
  std::string fallback_model;
  long max_tokens = 0;  ///< 0: by model.
  ThinkingWish thinking = ThinkingWish::automatic;
  long thinking_budget = 8'000;  ///< For models that want a number.
  std::string effort;            ///< "low" … "max"; empty: the model's default.
  std::string anthropic_version = "2023-06-01";
  std::vector<std::string> betas;
  std::vector<std::pair<std::string, std::string>> extra_headers;
  std::string ca_file;  ///< Empty: the system's. Checking cannot be switched off.
  std::string proxy;    ///< Empty: HTTPS_PROXY, NO_PROXY and their kin from the environment.
  Timing timing;
  TurnLimits limits;
  ModelTable models;
};

}  // namespace model
