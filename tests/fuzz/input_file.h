#pragma once

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace fuzz {

/// The fuzzer's bytes as a file in memory, for parsers that read a path. Mode 0600: most refuse a file that others can
/// write or read.
class InputFile {
 public:
  explicit InputFile(std::string_view bytes) : fd_(memfd_create("input", MFD_CLOEXEC)) {
    if (fchmod(fd_, 0600) != 0 || write(fd_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
      _exit(1);
  }
  ~InputFile() { close(fd_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace fuzz
