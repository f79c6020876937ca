#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace app {

/// JSON for a script that reads line by line; bytes that are no text do not stop it.
inline std::string as_line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace app
