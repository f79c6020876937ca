#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace base {

/// Something that went wrong in normal use, told so that an operator can act on it.
struct Error {
  std::string message;

  /// The same error with what was being done in front: "reading config: no such file".
  Error while_doing(std::string_view what) const { return Error{std::string(what) + ": " + message}; }
};

template <typename T>
using Result = tl::expected<T, Error>;

/// `return fail("no such host: …");` from any function that returns a Result.
inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}
inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

/// "opening /etc/x: Permission denied", from errno.
tl::unexpected<Error> fail_errno(std::string_view what);

}  // namespace base
