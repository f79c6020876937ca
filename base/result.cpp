#include "base/result.h"

#include <cerrno>
#include <system_error>

namespace base {

tl::unexpected<Error> fail_errno(std::string_view what) {
  return fail(std::string(what) + ": " + std::generic_category().message(errno));
}

}  // namespace base
