#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "base/result.h"
#include "http/client.h"
#include "transport/jumpserver/json.h"

namespace transport::jumpserver {

/// What core refused, or why it could not be asked.
struct CoreError {
  enum class Kind {
    unreachable,   ///< No (whole) answer.
    signed_out,    ///< No credential, or it has ended: sign in again.
    forbidden,     ///< The user's rights do not allow it.
    not_found,     ///< It is not there, or not this user's.
    refused,       ///< A rule or a validation said no; `code` says which.
    confirm,       ///< The server wants the user to confirm who they are, in the browser.
    throttled,     ///< Too many requests.
    server_error,  ///< 5xx: maintenance, a proxy without its server.
    not_core,      ///< What answers does not speak JumpServer's API.
    cancelled,
  };
  Kind kind = Kind::unreachable;
  int status = 0;
  std::string code;     ///< "acl_review", "password_failed", …
  std::string message;  ///< A sentence for the operator, with what to do next.

  base::Error plain() const { return base::Error{message}; }
};

template <typename T>
using CoreResult = tl::expected<T, CoreError>;

/// The result of what a rule or a validation of the server said no to.
inline tl::unexpected<CoreError> refused(std::string code, std::string message) {
  return tl::unexpected(CoreError{CoreError::Kind::refused, 0, std::move(code), std::move(message)});
}

/// The server's own words in an error body, in the order detail, msg, error, first field; "" when it has none.
std::string words_of(const Json& body);

/// "code", or "error" where that is a code and not a sentence.
std::string code_of(const Json& body);

/// The error that a response with a failing status (or a redirect) stands for. `host` is what may be shown.
CoreError error_of(const http::Head& head, const Json& json, std::string_view body, const std::string& host);

/// The sentence that every expired sign-in ends in.
std::string sign_in_sentence(const std::string& host, const std::string& why, const std::string& login = "jms login");

}  // namespace transport::jumpserver
