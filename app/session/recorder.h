#pragma once

#include <chrono>
#include <string>
#include <string_view>

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

 private:
  explicit Recorder(base::UniqueFd file) : file_(std::move(file)), start_(Clock::now()) {}
  void event(Clock::time_point now, char kind, std::string_view data);

  base::UniqueFd file_;
  Clock::time_point start_;
  std::string buffer_;
  std::string cut_;  ///< The beginning of a character whose rest has not come yet.
};

}  // namespace app
