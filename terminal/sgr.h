#pragma once

#include <string>

#include "terminal/cell.h"
#include "vt/csi.h"

namespace terminal {

using vt::Csi;

/// Applies `CSI … m` to a pen. Underline colour (58) is not drawn by us and is kept as sent, in canonical form.
void apply_sgr(const Csi& csi, Style& pen, std::string& underline_color);

/// The parameters of the SGR that gives this pen from a reset one, beginning with 0: "0;1;38:5:200".
std::string sgr_parameters(const Style& pen);

}  // namespace terminal
