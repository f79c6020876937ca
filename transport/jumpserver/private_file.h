#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace transport::jumpserver {

/// The whole of a file that only its owner may read; nothing when it is not there. Looser permissions are an error.
base::Result<std::optional<std::string>> read_private_file(const std::string& path, std::size_t most);

/// Replaces the file in one step, mode 0600, its folder made with 0700 when missing.
base::Result<void> write_private_file(const std::string& path, std::string_view text);

/// A profile's name made fit for a file's.
std::string file_name_of(std::string_view profile);

}  // namespace transport::jumpserver
