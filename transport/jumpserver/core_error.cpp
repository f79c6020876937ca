#include "transport/jumpserver/core_error.h"

#include "base/one_line.h"
#include "http/failure.h"

namespace transport::jumpserver {
namespace {

using Kind = CoreError::Kind;

std::string first_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array())
    for (const auto& entry : value)
      if (std::string text = first_text(entry); !text.empty()) return text;
  if (value.is_object()) {
    if (std::string text = text_at(value, "detail"); !text.empty()) return text;
    for (const auto& entry : value)
      if (entry.is_string() || entry.is_array())
        if (std::string text = first_text(entry); !text.empty()) return text;
  }
  return {};
}

std::string with_words(std::string sentence, const std::string& words) {
  return words.empty() ? sentence : std::move(sentence) + ": " + words;
}

CoreError of_redirect(const http::Head& head, const std::string& host) {
  const std::string_view location = head.header("location");
  if (location.find("/auth/login") != std::string_view::npos)
    return {Kind::signed_out, head.status, "login_redirect", sign_in_sentence(host, "the session has ended")};
  const std::string elsewhere = http::shown_host(location);
  return {Kind::not_core, head.status, "redirect",
          host + " redirects" + (location.starts_with("http") ? " to " + elsewhere : "") +
              "; credentials do not follow: name the right address with `jms login SERVER`"};
}

CoreError of_server_error(int status, const std::string& host, const std::string& words) {
  const std::string answered = host + " answered " + std::to_string(status);
  if (status == 502 || status == 503 || status == 504)
    return {
        Kind::server_error, status, "",
        with_words(answered, words) + "; JumpServer is starting, in maintenance or overloaded: try again in a minute"};
  return {Kind::server_error, status, "", with_words(answered, words) + "; tell the administrator if it stays so"};
}

}  // namespace

std::string sign_in_sentence(const std::string& host, const std::string& why, const std::string& login) {
  return host + ": " + why + "; sign in again with `" + login + "`";
}

std::string words_of(const Json& body) {
  if (!body.is_object()) return base::one_line(first_text(body), 300);
  for (const char* key : {"detail", "msg", "error"})
    if (std::string text = first_text(at(body, key)); !text.empty()) return base::one_line(text, 300);
  for (const auto& [field, value] : body.items())
    if (std::string text = first_text(value); !text.empty())
      return base::one_line(field == "non_field_errors" ? text : field + ": " + text, 300);
  return {};
}

std::string code_of(const Json& body) {
  std::string code = text_at(body, "code");
  if (code.empty()) code = text_at(body, "error");
  return code.size() <= 64 && code.find(' ') == std::string::npos ? code : std::string();
}

CoreError error_of(const http::Head& head, const Json& json, std::string_view body, const std::string& host) {
  const int status = head.status;
  if (status >= 300 && status < 400) return of_redirect(head, host);
  const bool from_core = json.is_object() || json.is_array();
  const std::string words = from_core ? words_of(json) : http::plain_words(body.substr(0, 4096));
  const std::string code = from_core ? code_of(json) : std::string();
  if (status >= 500) return of_server_error(status, host, words);
  switch (status) {
    case 401:
      if (!from_core) break;
      return {Kind::signed_out, status, code, sign_in_sentence(host, words.empty() ? "not signed in" : words)};
    case 403:
      if (!from_core)
        return {Kind::not_core, status, "",
                with_words(host + " answered 403", words) +
                    "; that is not JumpServer's word but of a gateway before it: ask who runs it"};
      return {Kind::forbidden, status, code,
              with_words(host + " does not permit this", words) + "; ask the administrator for the right"};
    case 404:
      if (!from_core) break;
      return {Kind::not_found, status, code, with_words(host + " does not know it, or not for you", words)};
    case 412:
      return {Kind::confirm, status, code,
              with_words(host + " wants you to confirm who you are first", words) + "; do that in the browser"};
    case 429:
      return {Kind::throttled, status, code, with_words(host + " is asked too often", words) + "; wait a little"};
    default:
      if (from_core) return {Kind::refused, status, code, with_words(host + " refused", words)};
  }
  return {Kind::not_core, status, "",
          with_words(host + " answered " + std::to_string(status), words) +
              "; is that the address of a JumpServer? Name it with `jms login SERVER`"};
}

}  // namespace transport::jumpserver
