#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace transport {

/// The letter after `%` and what it stands for.
using Tokens = std::vector<std::pair<char, std::string>>;

/// Replaces %h and its like; `%%` is a percent sign. A letter that is not in `tokens` is an error.
base::Result<std::string> expand_tokens(std::string_view text, const Tokens& tokens);

/// Replaces ${NAME} by the environment. A variable that is not set is an error.
base::Result<std::string> expand_environment(std::string_view text);

/// `~/x` and `~user/x`. What does not begin with a tilde, or names no user, comes back unchanged.
std::string expand_home(std::string_view path, std::string_view home);

}  // namespace transport
