#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "panel/conversation.h"

namespace panel {

/// How a command ended after 1.2 s.
inline Card::End ended(int code, std::string output, std::string note = {}) {
  Card::End end;
  end.exit_code = code;
  end.duration = std::chrono::milliseconds(1234);
  end.output = std::move(output);
  end.note = std::move(note);
  return end;
}

}  // namespace panel
