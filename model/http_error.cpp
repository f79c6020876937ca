#include "model/http_error.h"

#include <curl/curl.h>

#include "model/json.h"

namespace model {
namespace {

std::string quoted_detail(std::string_view detail) {
  const std::string line = one_line(detail, 200);
  return line.empty() ? "" : " (" + line + ")";
}

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

/// The first words of a body that is no JSON; of a web page its title.
std::string plain_words(std::string_view body) {
  const auto open = body.find("<title>");
  const auto close = body.find("</title>");
  if (open != std::string_view::npos && close != std::string_view::npos && close > open + 7)
    return one_line(body.substr(open + 7, close - open - 7), 120);
  return body.find('<') != std::string_view::npos ? std::string("a web page") : one_line(body, 200);
}

}  // namespace

std::string shown_host(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const auto user = url.rfind('@'); user != std::string_view::npos) url.remove_prefix(user + 1);
  return one_line(url, 200);
}

HttpFailure describe_failure(int curl_code, const HttpRequest& request, std::string_view detail) {
  const std::string host = request.unix_socket.empty() ? shown_host(request.url) : request.unix_socket;
  switch (curl_code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {"cannot find the host " + host + "; check base_url and the name server", true};
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {"cannot find the proxy's host; check HTTPS_PROXY", true};
    case CURLE_COULDNT_CONNECT:
      return {"cannot connect to " + host + quoted_detail(detail) + "; is it running and reachable?", true};
    case CURLE_OPERATION_TIMEDOUT:
      return {"no connection to " + host + " within " + std::to_string(request.connect_timeout.count() / 1000) +
                  " s; check the network and the proxy",
              true};
    case CURLE_PEER_FAILED_VERIFICATION:
      return {"the certificate of " + host + " is not trusted" + quoted_detail(detail) +
                  "; if it belongs to your company, name its CA with ca_file",
              false};
    case CURLE_SSL_CACERT_BADFILE:
      return {"cannot read the CA file " + one_line(request.ca_file) + "; check ca_file", false};
    case CURLE_SSL_CONNECT_ERROR:
      return {"no secure connection to " + host + quoted_detail(detail), true};
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return {"base_url is not a usable http(s) address; correct it", false};
    case CURLE_BAD_CONTENT_ENCODING:
      return {"the answer of " + host + " is packed in a way that cannot be unpacked; check the proxy in between",
              false};
    default:
      return {"the connection to " + host + " was lost" + quoted_detail(detail), true};
  }
}

TurnError error_of_response(const HttpHead& head, std::string_view body, std::string_view host) {
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
    words = plain_words(body);
  }
  if (head.status >= 300 && head.status < 400) {
    error.kind = ErrorKind::settings;
    error.type = "redirect";
    error.message = std::string(host) + " redirects to " + shown_host(head.header("location")) +
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

void mask(std::string& text, std::string_view secret) {
  if (secret.size() < 6) return;
  for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at))
    text.replace(at, secret.size(), "[key]");
}

}  // namespace model
