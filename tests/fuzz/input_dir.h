#pragma once

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace fuzz {

/// A private folder for parsers that look for their file by name and follow no link. In memory where there is such a
/// file system: each run writes its input anew.
class InputDir {
 public:
  InputDir() {
    const std::filesystem::path memory = "/dev/shm";
    std::string name =
        (std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path()) / "jms-fuzz-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~InputDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  InputDir(const InputDir&) = delete;
  InputDir& operator=(const InputDir&) = delete;

  const std::string& path() const { return path_; }

  void write(const std::string& name, std::string_view bytes) const {
    const std::string file = path_ + "/" + name;
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    if (::chmod(file.c_str(), 0600) != 0) std::abort();
  }
  void remove(const std::string& name) const { std::filesystem::remove(path_ + "/" + name); }

 private:
  std::string path_;
};

}  // namespace fuzz
