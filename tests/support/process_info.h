#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string_view>

namespace support {

/// One number of /proc/PID/status ("VmRSS" in kB, "voluntary_ctxt_switches"); nothing when the process is gone.
std::optional<long> process_status(pid_t pid, std::string_view field);

/// Whether it has a handler of its own for the signal.
bool catches(pid_t pid, int signal_number);

/// Waits for the end of a process that need not be our child.
bool process_ends_within(pid_t pid, std::chrono::milliseconds limit);

}  // namespace support
