#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temp_dir.h"

namespace support {

/// A home of its own for the program under test: nothing of the operator's settings, keys or proxies gets in.
class TestEnv {
 public:
  TestEnv();

  /// Sets or replaces one variable.
  TestEnv& set(std::string_view name, std::string_view value);
  TestEnv& unset(std::string_view name);

  /// Writes $XDG_CONFIG_HOME/jms/config.toml; gives its path.
  std::string write_config(std::string_view toml) const;

  const std::vector<std::string>& variables() const { return variables_; }
  const TempDir& home() const { return home_; }

 private:
  TempDir home_;
  std::vector<std::string> variables_;
};

}  // namespace support
