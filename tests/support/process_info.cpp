#include "tests/support/process_info.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "base/unique_fd.h"
#include "event/deadline.h"

namespace support {

namespace {

std::optional<std::string> status_line(pid_t pid, std::string_view field) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  const std::string prefix = std::string(field) + ":";
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(prefix)) return line.substr(prefix.size());
  }
  return std::nullopt;
}

}  // namespace

std::optional<long> process_status(pid_t pid, std::string_view field) {
  const auto line = status_line(pid, field);
  return line ? std::optional<long>(std::stol(*line)) : std::nullopt;
}

bool catches(pid_t pid, int signal_number) {
  const auto caught = status_line(pid, "SigCgt");
  return caught && ((std::stoull(*caught, nullptr, 16) >> (signal_number - 1)) & 1) != 0;
}

bool process_ends_within(pid_t pid, std::chrono::milliseconds limit) {
  const base::UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!process) return true;
  const event::Deadline deadline(limit);
  pollfd end{process.get(), POLLIN, 0};
  int ended = 0;
  do {  // The end of a child of ours interrupts the waiting for another.
    ended = ::poll(&end, 1, static_cast<int>(deadline.left().count()));
  } while (ended < 0 && errno == EINTR);
  return ended == 1;
}

}  // namespace support
