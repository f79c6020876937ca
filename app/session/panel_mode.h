#pragma once

#include "panel/theme.h"
#include "safety/permission_rules.h"

namespace app {

/// The mode as the panel's title shows it; production is worth knowing whatever
/// else holds.
inline panel::Mode panel_mode(safety::Mode mode, bool production) {
  if (production) return panel::Mode::production;
  if (mode == safety::Mode::ReadOnly) return panel::Mode::read_only;
  return mode == safety::Mode::Auto ? panel::Mode::automatic : panel::Mode::ask;
}

}  // namespace app
