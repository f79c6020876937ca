#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <string>

#include "base/unique_fd.h"
#include "tests/support/temp_dir.h"

namespace support {

/// A place where a script waits until the test lets it go on: `read x < PATH`.
class Gate {
 public:
  Gate(const TempDir& folder, std::string_view name) : path_(folder.file(name)) { ::mkfifo(path_.c_str(), 0600); }

  /// The shell words that wait here.
  std::string wait() const { return "read x < " + path_; }
  /// Lets the script go on; waits until it has come this far.
  void open() const { base::UniqueFd opened(::open(path_.c_str(), O_WRONLY | O_CLOEXEC)); }

 private:
  std::string path_;
};

}  // namespace support
