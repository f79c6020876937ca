#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/size.h"
#include "base/unique_fd.h"

namespace app {

/// Writes what the session shows to an asciicast v2 file. Only output and sizes: no key is ever recorded.
class Recorder {
 public:
  using Clock = std::chrono::steady_clock;

  /// Creates the file (mode 0600). One that exists already is refused, not overwritten.
  static base::Result<Recorder> create(const std::string& path, base::Size size);

  void output(std::string_view bytes, Clock::time_point now);
  void resized(base::Size size, Clock::time_point now);

  Recorder(Recorder&&) = default;
  Recorder& operator=(Recorder&&) = default;
  ~Recorder() { flush(); }

  void flush();
  /// Why the recording ended early; said once.
  std::optional<std::string> take_failure() { return std::exchange(failure_, std::nullopt); }

 private:
  Recorder(base::UniqueFd file, std::string path)
      : file_(std::move(file)), path_(std::move(path)), start_(Clock::now()) {}
  void event(Clock::time_point now, char kind, std::string_view data);

  base::UniqueFd file_;
  std::string path_;
  off_t whole_ = 0;  ///< Bytes of the file that are whole lines.
  std::optional<std::string> failure_;
  Clock::time_point start_;
  std::string buffer_;
  std::string cut_;  ///< The beginning of a character whose rest has not come yet.
};

}  // namespace app
