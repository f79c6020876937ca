#pragma once

#include <string>

#include "terminal/screen.h"

namespace app {

/// What "@screen" stands for: the rows the terminal shows.
std::string screen_text(const terminal::Screen& screen);

/// What "@last" stands for: the last command at the prompt with its output, found by looking for the line that begins
/// as the one with the cursor does. Everything on the screen when there is no such line.
std::string last_command_text(const terminal::Screen& screen);

}  // namespace app
