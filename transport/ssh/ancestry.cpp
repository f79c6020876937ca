#include "transport/ssh/ancestry.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace transport {
namespace {

constexpr int kLongestDescent = 64;  // A chain has 16 hops at most, each with a shell perhaps.

struct Kinship {
  pid_t parent = 0;
  std::string name;
};

/// From /proc/PID/stat: "1234 (a name) S 1200 …"; the name may hold anything, so the last bracket ends it.
std::optional<Kinship> kinship_of(pid_t process) {
  const base::UniqueFd file(::open(("/proc/" + std::to_string(process) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 512> buffer;
  const ssize_t count = file ? ::read(file.get(), buffer.data(), buffer.size()) : -1;
  if (count <= 0) return std::nullopt;
  const std::string_view line(buffer.data(), static_cast<std::size_t>(count));
  const std::size_t open = line.find('('), close = line.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close + 4 >= line.size())
    return std::nullopt;
  Kinship kinship;
  kinship.name = line.substr(open + 1, close - open - 1);
  const std::string_view rest = line.substr(close + 4);
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), kinship.parent);
  return read.ec == std::errc() ? std::optional<Kinship>(kinship) : std::nullopt;
}

}  // namespace

std::optional<Descent> descent_from(pid_t process, pid_t ssh) {
  if (process <= 1 || ssh <= 1 || process == ssh) return std::nullopt;
  auto self = kinship_of(process);
  Descent descent;
  for (int step = 0; self && step < kLongestDescent; ++step) {
    if (self->parent <= 1) return std::nullopt;
    const bool first = step == 0;
    if (self->parent == ssh) {
      if (first) descent.asked_by_ssh = true;
      return descent;
    }
    self = kinship_of(self->parent);
    if (!self || self->name != "ssh") continue;
    if (first) descent.asked_by_ssh = true;
    ++descent.hop;
  }
  return std::nullopt;
}

}  // namespace transport
