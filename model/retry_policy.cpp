#include "model/retry_policy.h"

#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace model {
namespace {

using std::chrono::milliseconds;

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || rest != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

/// The wait the server asks for, in milliseconds; nothing when it does not, or asks for nonsense.
std::optional<double> asked_wait(const http::Head& head, std::time_t now) {
  if (const auto ms = number_in(head.header("retry-after-ms")); ms && *ms > 0) return ms;
  const std::string_view after = head.header("retry-after");
  if (const auto seconds = number_in(after)) return *seconds > 0 ? std::optional(*seconds * 1000) : std::nullopt;
  if (after.empty()) return std::nullopt;
  const std::time_t date = curl_getdate(std::string(after).c_str(), nullptr);
  if (date <= now) return std::nullopt;
  return static_cast<double>(date - now) * 1000;
}

}  // namespace

bool worth_repeating(const TurnError& error, const http::Head* head) {
  if (head) {
    const std::string_view advice = head->header("x-should-retry");
    if (advice == "true") return true;
    if (advice == "false") return false;
  }
  if (error.status != 0) {
    if (error.kind == ErrorKind::billing || error.kind == ErrorKind::context_too_long) return false;
    return error.status == 408 || error.status == 409 || error.status == 429 || error.status >= 500;
  }
  switch (error.kind) {
    case ErrorKind::connection:
    case ErrorKind::stalled:
    case ErrorKind::rate_limited:
    case ErrorKind::overloaded:
    case ErrorKind::server:
      return true;
    default:
      return error.type == "tool_use_failed";  // Groq: the model's call could not be parsed; it may do better
  }
}

std::optional<milliseconds> wait_before_repeat(const http::Head* head, int retries_done, const Timing& timing,
                                               double random, std::time_t now) {
  if (head) {
    if (const auto asked = asked_wait(*head, now)) {
      if (*asked > static_cast<double>(timing.longest_asked_wait.count())) return std::nullopt;
      return milliseconds(std::llround(std::ceil(*asked)));
    }
  }
  const double grown = static_cast<double>(timing.first_wait.count()) * std::exp2(std::min(retries_done, 30));
  const double capped = std::min(grown, static_cast<double>(timing.longest_wait.count()));
  return milliseconds(std::llround(capped * (1 - 0.25 * random)));
}

}  // namespace model
