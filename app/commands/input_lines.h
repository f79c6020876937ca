#pragma once

#include <optional>
#include <string>

#include "event/event_loop.h"
#include "event/fd_watch.h"

namespace app {

/// The lines of a descriptor, awaited on the loop: signals and connections are served meanwhile.
class InputLines {
 public:
  InputLines(event::EventLoop& loop, int fd);

  /// A line without its ending; the last one may lack it. Nothing: no whole line is there, see ended().
  std::optional<std::string> next();
  /// Nothing more will come.
  bool ended() const { return ended_ && buffer_.empty(); }
  /// Serves the loop until more has come, the input has ended or somebody stopped the loop.
  void wait();

 private:
  void read();

  event::EventLoop& loop_;
  int fd_;
  bool ended_ = false;
  std::string buffer_;
  std::size_t searched_ = 0;  ///< So far there is no line's end in it.
  std::optional<event::FdWatch> watch_;
};

}  // namespace app
