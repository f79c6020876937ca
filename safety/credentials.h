#pragma once

#include <span>
#include <string>
#include <string_view>

#include "safety/argument.h"

namespace safety {

/// Whether a file of this name usually holds keys, passwords or tokens. `path` may be a shell pattern.
bool is_credential_path(std::string_view path);

/// A sentence about the first argument that names such a file, or nothing. Values of options count too
/// (`-f/etc/shadow`).
std::string credential_among(std::span<const Argument> args);

}  // namespace safety
