#include "http/failure.h"

#include <curl/curl.h>

#include "base/one_line.h"

namespace http {
namespace {

std::string quoted_detail(std::string_view detail) {
  const std::string line = base::one_line(detail, 200);
  return line.empty() ? "" : " (" + line + ")";
}

}  // namespace

std::string shown_host(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const auto user = url.rfind('@'); user != std::string_view::npos) url.remove_prefix(user + 1);
  return base::one_line(url, 200);
}

Failure describe_failure(int curl_code, const Request& request, std::string_view detail) {
  const std::string host = request.unix_socket.empty() ? shown_host(request.url) : request.unix_socket;
  switch (curl_code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {"cannot find the host " + host + "; check " + request.address_setting + " and the name server", true};
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
                  "; if it belongs to your company, name its CA with " + request.ca_setting,
              false};
    case CURLE_SSL_CACERT_BADFILE:
      return {"cannot read the CA file " + base::one_line(request.ca_file) + "; check " + request.ca_setting, false};
    case CURLE_SSL_CONNECT_ERROR:
      return {"no secure connection to " + host + quoted_detail(detail), true};
    case CURLE_UNSUPPORTED_PROTOCOL:
      // libcurl says the same of an answer that is no HTTP at all.
      if (request.url.starts_with("http"))
        return {host + " does not answer in HTTP; check " + request.address_setting, false};
      [[fallthrough]];
    case CURLE_URL_MALFORMAT:
      return {request.address_setting + " is not a usable http(s) address; correct it", false};
    case CURLE_BAD_CONTENT_ENCODING:
      return {"the answer of " + host + " is packed in a way that cannot be unpacked; check the proxy in between",
              false};
    default:
      return {"the connection to " + host + " was lost" + quoted_detail(detail), true};
  }
}

std::string plain_words(std::string_view body) {
  const auto open = body.find("<title>");
  const auto close = body.find("</title>");
  if (open != std::string_view::npos && close != std::string_view::npos && close > open + 7)
    return base::one_line(body.substr(open + 7, close - open - 7), 120);
  return body.find('<') != std::string_view::npos ? std::string("a web page") : base::one_line(body, 200);
}

void mask(std::string& text, std::string_view secret) {
  if (secret.size() < 6) return;
  for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at))
    text.replace(at, secret.size(), "[key]");
}

}  // namespace http
