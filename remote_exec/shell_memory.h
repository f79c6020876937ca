#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "remote_exec/dialect.h"

namespace remote_exec {

/// What was proven about the prompt we type at, and about the levels we came through.
struct ShellMemory {
  static constexpr std::size_t kMaxLevels = 32;

  std::optional<Dialect> dialect;  ///< Of the shell at the prompt, when `proven`.
  bool proven = false;             ///< The prompt is idle and that shell's, unless the operator entered something.
  bool prompt_known = false;       ///< The two below were learned.
  std::string prompt_bytes;        ///< What came after the last end mark.
  std::string prompt_line;         ///< Its last line as text, up to the cursor; may be empty.
  std::map<std::string, Dialect> levels;  ///< Prompts seen before and the shells behind them.
  std::set<std::string> clients;          ///< Prompts behind which no shell answered.
  bool echo_off = false;                  ///< The last line typed at a proven prompt did not appear.
  std::chrono::milliseconds round_trip{0};

  void learn(std::string bytes, std::string line) {
    if (dialect && !line.empty()) {
      if (levels.size() >= kMaxLevels) levels.clear();
      levels[line] = *dialect;
    }
    prompt_bytes = std::move(bytes);
    prompt_line = std::move(line);
    prompt_known = proven = true;
  }

  /// How long something may take that normally takes a round trip: 2 seconds or three round trips.
  std::chrono::milliseconds patience() const {
    return std::max<std::chrono::milliseconds>(std::chrono::seconds(2), 3 * round_trip);
  }
};

}  // namespace remote_exec
