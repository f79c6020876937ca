#include "tests/support/process_info.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "base/unique_fd.h"

namespace support {

std::optional<long> process_status(pid_t pid, std::string_view field) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  const std::string prefix = std::string(field) + ":";
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(prefix)) return std::stol(line.substr(prefix.size()));
  }
  return std::nullopt;
}

bool process_ends_within(pid_t pid, std::chrono::milliseconds limit) {
  const base::UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!process) return true;
  pollfd end{process.get(), POLLIN, 0};
  return ::poll(&end, 1, static_cast<int>(limit.count())) == 1;
}

}  // namespace support
