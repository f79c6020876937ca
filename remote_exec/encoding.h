#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace remote_exec {

/// UTF-8 text in a host's encoding, as iconv names it; empty: UTF-8. Fails when it cannot be written there.
base::Result<std::string> in_encoding(std::string_view text, const std::string& encoding);

}  // namespace remote_exec
