#pragma once

#include <string>
#include <string_view>

namespace support {

/// A fresh directory (0700) that goes away with its content.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

  /// Writes a file below the directory (making folders on the way) and returns its path.
  std::string write(std::string_view name, std::string_view text, int mode = 0600) const;

 private:
  std::string path_;
};

std::string read_text(const std::string& path);

}  // namespace support
