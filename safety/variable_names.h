#pragma once

#include <string_view>

namespace safety {

/// Without a capital letter: by custom a variable of the operator's own, which no program listens to.
bool is_lower_name(std::string_view name);

/// Lower-case names that some shell or program listens to all the same.
bool is_special_lower(std::string_view name);

/// A setting for one command that changes how it prints or where it asks, never what it does or loads.
bool is_harmless_setting(std::string_view name);

}  // namespace safety
