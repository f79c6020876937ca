#pragma once

#include <string>

#include "app/config/config.h"
#include "app/target/target.h"
#include "remote_exec/remote_shell.h"

namespace app {

/// How commands are run on that target, as the operator's `[exec]` settings say. `outputs` is where long outputs go;
/// empty: nowhere.
remote_exec::Options exec_options(const Config& config, const TargetFacts& facts, std::string outputs);

}  // namespace app
