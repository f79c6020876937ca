#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace base {

/// A file of lines that several processes of one user add to at once: nothing of anybody's is lost, and it stays
/// within its limits by dropping the oldest lines. Mode 0600; one that others can read, or a link, is refused.
class LineFile {
 public:
  struct Limits {
    std::size_t lines = 1000;
    std::size_t bytes = 512 * 1024;
  };

  LineFile(std::string path, Limits limits) : path_(std::move(path)), limits_(limits) {}

  /// The newest lines within the limits, the oldest first. None when there is no file yet.
  Result<std::vector<std::string>> load() const;

  /// Adds one line; a line break in it becomes a blank. Longer than the file may be: refused.
  Result<void> append(std::string_view line) const;

 private:
  Result<std::string> read() const;
  Result<void> trim() const;
  std::string newest(const std::string& content) const;

  std::string path_;
  Limits limits_;
};

}  // namespace base
