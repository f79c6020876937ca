#include "app/config/secret_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "base/unique_fd.h"

namespace app {
namespace {

std::string without_line_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

base::Result<std::string> from_command(const std::string& command, const std::string& setting) {
  FILE* pipe = ::popen(command.c_str(), "re");
  if (!pipe) return base::fail_errno("running `" + setting + "_command`");
  std::string text;
  std::array<char, 1024> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), count);
  if (::pclose(pipe) != 0) return base::fail("`" + setting + "_command` failed; run it by hand to see why");
  return without_line_end(std::move(text));
}

base::Result<std::string> from_file(const std::string& path) {
  base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return base::fail_errno("opening the key file " + path);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0 || (info.st_mode & 077) != 0)
    return base::fail("the key file " + path + " can be read by others; run `chmod 600 " + path + "`");
  std::array<char, 8192> buffer;
  const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
  if (count < 0) return base::fail_errno("reading the key file " + path);
  return without_line_end(std::string(buffer.data(), static_cast<std::size_t>(count)));
}

}  // namespace

base::Result<std::string> read_secret(const SecretSource& source, const std::string& setting) {
  if (!source.command.empty()) return from_command(source.command, setting);
  if (!source.file.empty()) return from_file(source.file);
  return std::string();
}

}  // namespace app
