#pragma once

#include <sys/types.h>

#include <optional>

namespace transport {

/// How a process stands to an ssh that we started.
struct Descent {
  bool asked_by_ssh = false;  ///< Its parent is an ssh: ours, or that of a hop.
  int hop = 0;  ///< 0: that is the ssh we started; 1: the one that this one started to get there; and so on.
};

/// Nothing when `process` does not descend from `ssh`, or is gone.
std::optional<Descent> descent_from(pid_t process, pid_t ssh);

}  // namespace transport
