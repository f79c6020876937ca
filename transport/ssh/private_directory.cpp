#include "transport/ssh/private_directory.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/environment.h"

namespace transport {
namespace {

constexpr std::string_view kDirectoryName = "jms-ask-";
constexpr std::size_t kLongestBase = 60;  // The whole path must fit into the address of a socket.

bool is_ours(const std::string& path, mode_t forbidden) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
         (info.st_mode & forbidden) == 0;
}

/// The directory of the login where there is one: it is ours alone and goes with the login.
std::string base_directory() {
  const std::string run = base::environment("XDG_RUNTIME_DIR");
  if (!run.empty() && run.size() <= kLongestBase && is_ours(run, 077) && ::access(run.c_str(), W_OK) == 0) return run;
  const std::string temporary = base::environment("TMPDIR");
  if (!temporary.empty() && temporary.size() <= kLongestBase && ::access(temporary.c_str(), W_OK) == 0)
    return temporary;
  return "/tmp";
}

void remove_directory(const std::string& path) {
  ::unlink((path + "/ask").c_str());
  ::rmdir(path.c_str());
}

/// The process in "jms-ask-1234-Xq3fZe"; 0 when it is none of those.
pid_t maker_of(std::string_view name) {
  if (!name.starts_with(kDirectoryName)) return 0;
  name.remove_prefix(kDirectoryName.size());
  pid_t maker = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), maker);
  return read.ec == std::errc() && read.ptr != name.data() + name.size() && *read.ptr == '-' ? maker : 0;
}

void remove_leftovers(const std::string& place) {
  std::error_code trouble;
  for (std::filesystem::directory_iterator entry(place, trouble), end; !trouble && entry != end;
       entry.increment(trouble)) {
    const pid_t maker = maker_of(entry->path().filename().string());
    if (maker <= 0 || ::kill(maker, 0) == 0 || errno != ESRCH) continue;
    if (is_ours(entry->path().string(), 077)) remove_directory(entry->path().string());
  }
}

}  // namespace

base::Result<PrivateDirectory> PrivateDirectory::make() {
  const std::string place = base_directory();
  remove_leftovers(place);
  std::string path = place + "/" + std::string(kDirectoryName) + std::to_string(::getpid()) + "-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return base::fail_errno("making a directory in " + place);
  return PrivateDirectory(std::move(path));
}

PrivateDirectory::~PrivateDirectory() {
  if (!path_.empty()) remove_directory(path_);
}

}  // namespace transport
