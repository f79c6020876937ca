#pragma once

#include <string>

#include "base/result.h"

namespace app {

/// Where a secret comes from that does not stand in the config itself.
struct SecretSource {
  std::string command;  ///< Prints it: a password manager.
  std::string file;     ///< Holds it; mode 0600.

  bool empty() const { return command.empty() && file.empty(); }
};

/// The secret without its line end; "" when the source is empty. `setting` is how the config calls it, "model.api_key":
/// messages name `model.api_key_command`. A command's own words go to standard error; the secret goes nowhere else.
base::Result<std::string> read_secret(const SecretSource& source, const std::string& setting);

}  // namespace app
