#pragma once

#include <string>

#include "terminal/screen.h"

namespace terminal {

/// The rows that are shown, one line of text each, trailing blanks removed.
std::string dump_text(const Screen& screen);

/// The whole screen as one JSON object, the shape of `jms debug screen --json`; with each cell's look when asked.
std::string dump_json(const Screen& screen, bool cells);

}  // namespace terminal
