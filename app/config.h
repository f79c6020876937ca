#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "terminal/hotkey.h"

namespace app {

/// What the operator set in config.toml. Defaults stand here and nowhere else.
struct Config {
  terminal::Hotkey hotkey;  ///< Ctrl+] unless set.
  bool hint = true;         ///< One line at the start that names the hotkey.
  std::string shell;        ///< What `jms local` runs; empty: $SHELL.
  std::size_t scrollback_lines = 10'000;
};

/// $JMS_CONFIG_DIR/config.toml, else $XDG_CONFIG_HOME/jms/config.toml, else ~/.config/jms/config.toml.
std::string default_config_path();

/// Reads a config file. Every mistake is told with file, line and key; a key we do not know is a mistake.
base::Result<Config> load_config(const std::string& path);

/// The file named on the command line, which must exist, or the default one, which need not.
base::Result<Config> load_config_or_defaults(const std::string& named_path);

}  // namespace app
