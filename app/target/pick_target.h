#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/target/target_sources.h"
#include "base/result.h"
#include "panel/theme.h"

namespace app {

/// What came of the list of targets.
struct PickedTarget {
  std::optional<TargetOptions> target;  ///< Nothing when the operator left.
  int signal = 0;                       ///< What ended it, when a signal did.
};

/// Lets the operator choose a target on the terminal. `given` are the options of the command line: what the choice does
/// not say itself comes from them. Fails when there is no terminal that can show the list.
base::Result<PickedTarget> pick_target(const std::vector<std::unique_ptr<TargetSource>>& sources,
                                       const TargetOptions& given, const std::string& guidance, panel::ThemeName theme);

}  // namespace app
