#include "transport/jumpserver/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/unique_fd.h"
#include "base/write_all.h"

namespace transport::jumpserver {
base::Result<std::optional<std::string>> read_private_file(const std::string& path, std::size_t most) {
  const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file) {
    if (errno == ENOENT) return std::optional<std::string>();
    return base::fail_errno("opening " + path);
  }
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return base::fail_errno("looking at " + path);
  if (info.st_uid != ::geteuid() || (info.st_mode & 077) != 0)
    return base::fail(path + " can be read by others; run `chmod 600 " + path + "`");
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::fail_errno("reading " + path);
    if (count == 0) return std::optional<std::string>(std::move(text));
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > most) return base::fail(path + " is larger than it can be; remove it");
  }
}

base::Result<void> write_private_file(const std::string& path, std::string_view text) {
  const std::string folder = std::filesystem::path(path).parent_path();
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return base::fail_errno("making " + folder);
  std::string temporary = path + ".XXXXXX";
  const base::UniqueFd file(::mkostemp(temporary.data(), O_CLOEXEC));  // made with 0600
  if (!file) return base::fail_errno("writing in " + folder);
  if (auto written = base::write_all(file.get(), text, path); !written) {
    ::unlink(temporary.c_str());
    return written;
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const auto failed = base::fail_errno("writing " + path);
    ::unlink(temporary.c_str());
    return failed;
  }
  return {};
}

std::string file_name_of(std::string_view profile) {
  std::string name;
  for (const char c : profile) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
    std::array<char, 4> coded{};
    if (!plain) std::snprintf(coded.data(), coded.size(), "%%%02X", static_cast<unsigned char>(c));
    name += plain ? std::string(1, c) : std::string(coded.data());
  }
  return name.empty() ? "default" : name;
}

}  // namespace transport::jumpserver
