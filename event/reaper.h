#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include "event/event_loop.h"
#include "event/signal_watch.h"

namespace event {

/// Waits for children that nobody asks about any more: without it each of them stays a zombie as long as the program
/// runs. One for each loop. Private to event/.
class Reaper {
 public:
  /// Takes a child over that was not waited for yet.
  static void take(EventLoop& loop, pid_t child);

 private:
  void add(EventLoop& loop, pid_t child);
  void reap();

  std::vector<pid_t> children_;
  std::optional<SignalWatch> sigchld_;  ///< While there are any.
};

}  // namespace event
