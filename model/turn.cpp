#include "model/turn.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/words.h"

namespace model {
namespace {

bool is_about_length(std::string_view type, std::string_view message) {
  if (type == "context_length_exceeded" || type == "exceed_context_size_error" || type == "request_too_large")
    return true;
  constexpr std::array phrases = {"prompt is too long",          "maximum context length",  "exceed context limit",
                                  "exceeds the context",         "context length exceeded", "context window",
                                  "available context size",      "input is too long",       "too many tokens",
                                  "exceeds maximum allowed size"};
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view words) { return base::mentions(message, words); });
}

ErrorKind kind_by_type(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, ErrorKind>, 16> kinds = {{
      {"authentication_error", ErrorKind::authentication},
      {"invalid_api_key", ErrorKind::authentication},
      {"permission_error", ErrorKind::permission},
      {"billing_error", ErrorKind::billing},
      {"insufficient_quota", ErrorKind::billing},
      {"not_found_error", ErrorKind::not_found},
      {"model_not_found", ErrorKind::not_found},
      {"invalid_request_error", ErrorKind::invalid_request},
      {"rate_limit_error", ErrorKind::rate_limited},
      {"rate_limit_exceeded", ErrorKind::rate_limited},
      {"overloaded_error", ErrorKind::overloaded},
      {"unavailable_error", ErrorKind::overloaded},
      {"api_error", ErrorKind::server},
      {"server_error", ErrorKind::server},
      {"timeout_error", ErrorKind::server},
      {"conflict_error", ErrorKind::server},
  }};
  const auto* found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& entry) { return entry.first == type; });
  return found == kinds.end() ? ErrorKind::none : found->second;
}

ErrorKind kind_by_status(int status) {
  switch (status) {
    case 401:
      return ErrorKind::authentication;
    case 402:
      return ErrorKind::billing;
    case 403:
      return ErrorKind::permission;
    case 404:
      return ErrorKind::not_found;
    case 413:
      return ErrorKind::context_too_long;
    case 429:
      return ErrorKind::rate_limited;
    case 503:
    case 529:
      return ErrorKind::overloaded;
    default:
      return status >= 500 || status == 408 || status == 409 ? ErrorKind::server
             : status >= 400                                 ? ErrorKind::invalid_request
                                                             : ErrorKind::server;
  }
}

}  // namespace

Usage& Usage::operator+=(const Usage& other) {
  input += other.input;
  cache_write += other.cache_write;
  cache_write_1h += other.cache_write_1h;
  cache_read += other.cache_read;
  output += other.output;
  thinking += other.thinking;
  return *this;
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::complete:
      return "complete";
    case Outcome::complete_no_message_stop:
      return "complete_no_message_stop";
    case Outcome::stopped_with_open_block:
      return "stopped_with_open_block";
    case Outcome::incomplete:
      return "incomplete";
    case Outcome::error:
      break;
  }
  return "error";
}

ErrorKind error_kind(std::string_view type, int status, std::string_view message) {
  if (status != 429 && status < 500 && is_about_length(type, message)) return ErrorKind::context_too_long;
  const ErrorKind by_type = kind_by_type(type);
  // Some servers call everything invalid_request_error; then the status knows better.
  if (by_type == ErrorKind::none || (by_type == ErrorKind::invalid_request && status > 400))
    return kind_by_status(status);
  return by_type;
}

}  // namespace model
