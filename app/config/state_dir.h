#pragma once

#include <string>

#include "base/result.h"

namespace app {

/// $JMS_STATE_DIR, else $XDG_STATE_HOME/jms, else ~/.local/state/jms: audit, sessions, outputs, logs.
std::string state_dir_path();

/// The same, made when it is missing (0700). One that others may read is refused, not used.
base::Result<std::string> state_dir();

}  // namespace app
