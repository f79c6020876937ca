#include "model/http_error.h"

#include "http/failure.h"
#include "model/json.h"

namespace model {
namespace {

/// What the operator can do about an error of this kind.
std::string_view advice(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::authentication:
      return "; check the API key";
    case ErrorKind::permission:
      return "; this key may not do that";
    case ErrorKind::billing:
      return "; check the account's credit";
    case ErrorKind::not_found:
      return "; check the model's name and base_url";
    default:
      return "";
  }
}

}  // namespace

TurnError error_of_response(const http::Head& head, std::string_view body, std::string_view host) {
  TurnError error;
  error.status = head.status;
  error.request_id =
      one_line(head.header("request-id").empty() ? head.header("x-request-id") : head.header("request-id"), 100);
  std::string words;
  if (const auto parsed = parse_json(body); parsed && parsed->is_object()) {
    const Json* inner = member(*parsed, "error");
    const Json& subject = inner && inner->is_object() ? *inner : *parsed;
    words = one_line(inner && inner->is_string() ? std::string_view(inner->get_ref<const std::string&>())
                                                 : string_at(subject, "message"));
    if (words.empty()) words = one_line(string_at(subject, "detail"));  // FastAPI, and so vLLM
    const auto code = string_at(subject, "code");
    error.type = one_line(code.empty() ? string_at(subject, "type") : code, 80);
    error.param = one_line(string_at(subject, "param"), 80);
    if (error.request_id.empty()) error.request_id = one_line(string_at(*parsed, "request_id"), 100);
  } else {
    words = http::plain_words(body);
  }
  if (head.status >= 300 && head.status < 400) {
    error.kind = ErrorKind::settings;
    error.type = "redirect";
    error.message = std::string(host) + " redirects to " + http::shown_host(head.header("location")) +
                    "; requests with a key do not follow: set base_url to the right address";
    return error;
  }
  error.kind = error_kind(error.type, head.status, words);
  error.message = std::string(host) + " answered " + std::to_string(head.status);
  if (!error.type.empty()) error.message += " " + error.type;
  if (!words.empty()) error.message += ": " + words;
  error.message += advice(error.kind);
  return error;
}

}  // namespace model
