#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace base {

/// Bytes on their way to a non-blocking descriptor. The owner says when to try and bounds the size.
class WriteQueue {
 public:
  enum class Outcome { empty, would_block, failed };
  enum class Sink { file, socket };  ///< A socket whose peer is gone must give an error, not SIGPIPE.

  void append(std::string_view bytes) { bytes_.append(bytes); }

  /// Writes what the descriptor takes. `failed` leaves errno set; nothing more will be written then.
  Outcome flush(int fd, Sink sink = Sink::file);

  std::size_t size() const { return bytes_.size() - written_; }
  bool empty() const { return size() == 0; }
  void clear();

 private:
  std::string bytes_;
  std::size_t written_ = 0;  ///< How much of `bytes_` is gone already.
};

}  // namespace base
