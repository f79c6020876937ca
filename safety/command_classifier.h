#pragma once

#include <cstddef>
#include <string_view>

#include "safety/command_class.h"

namespace safety {

/// Decides what a shell command would do, from the parsed text and tables of what programs and their options do.
///
/// Fails closed: what is not fully understood is at least `Changes`. The text must be exactly what will be typed.
class CommandClassifier {
 public:
  /// Longer texts, and texts of more commands, are asked about whatever they say.
  static constexpr std::size_t kMaxBytes = 10'000;
  static constexpr std::size_t kMaxParts = 200;

  Verdict classify(std::string_view command) const;
};

}  // namespace safety
