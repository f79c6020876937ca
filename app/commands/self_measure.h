#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "event/event_loop.h"

namespace app {

/// How long a typed key takes to come back.
struct EchoDelay {
  std::chrono::microseconds median{};
  std::chrono::microseconds p99{};
};

/// What this binary costs on this machine: `jms about`.
struct Footprint {
  std::string path;
  std::size_t binary_bytes = 0;
  std::chrono::microseconds start{};         ///< From exec to exit of `jms --version`, median.
  std::optional<std::size_t> session_bytes;  ///< Resident memory of a session at its prompt.
  EchoDelay through_jms;                     ///< A key through `jms local` …
  EchoDelay bare;                            ///< … and the same through a pty alone, in turns with it.
};

/// Runs the binary itself, on a pseudo-terminal of its own; takes about a second.
base::Result<Footprint> measure_self(event::EventLoop& loop);

}  // namespace app
