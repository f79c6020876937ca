// A family of programs with the commands that are known to read, to change and to destroy.
#pragma once

#include <string>
#include <string_view>

#include "base/words.h"

namespace safety::commands {

/// One command per line; ⏎ stands for a line break inside a command.
struct Family {
  std::string_view read_only, changing, destroying;
};

template <typename Visit>
void each_row(std::string_view rows, Visit visit) {
  constexpr std::string_view kBreak = "⏎";
  for (const auto row : base::split(rows, '\n')) {
    std::string command(row);
    for (auto at = command.find(kBreak); at != std::string::npos; at = command.find(kBreak))
      command.replace(at, kBreak.size(), "\n");
    visit(command);
  }
}

}  // namespace safety::commands
