#pragma once

#include <string_view>

namespace app {

/// "0.1.0+g1a2b3c4d": the release and, in a build from a checkout, the commit. Nothing of time, place or builder is in
/// it, so that the same sources give the same bytes.
std::string_view version();

}  // namespace app
