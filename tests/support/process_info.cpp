#include "tests/support/process_info.h"

#include <fstream>
#include <string>

namespace support {

std::optional<long> process_status(pid_t pid, std::string_view field) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  const std::string prefix = std::string(field) + ":";
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(prefix)) return std::stol(line.substr(prefix.size()));
  }
  return std::nullopt;
}

}  // namespace support
