#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/size.h"
#include "panel/theme.h"
#include "terminal/frame.h"

namespace panel {

/// What the title tells about the session and the assistant.
struct Status {
  std::string target;
  std::string model;
  std::optional<Mode> mode;
  std::string activity;  ///< What the assistant is doing; empty when it rests.
  int round = 0;         ///< 0: none under way.
  int max_rounds = 0;
  std::optional<int> context_percent;  ///< How full the model's window is.
  std::optional<double> cost_usd;
  std::optional<std::chrono::seconds> elapsed;  ///< Since the question.
  int spin = 0;                                 ///< Which picture of the spinner.
};

/// Draws the title over a rule: who and where on the left, what happens on the right. What has no room is left out, the
/// least needed first.
void draw_title(terminal::Frame& frame, int row, const base::Area& area, const Status& status, const Theme& theme);

/// The mode as the title and /mode name it.
std::string mode_text(Mode mode);

}  // namespace panel
