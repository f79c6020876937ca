#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/plain_text.h"

namespace terminal {

class Screen;

struct BacklogLimits {
  std::size_t bytes = 2 * 1024 * 1024;  ///< More than this is never kept.
  std::size_t chunk = 32 * 1024;
};

/// Remote output on its way into the Screen: the operator's terminal gets the bytes first, the model later.
///
/// append() is cheap. The owner calls catch_up() when the stream pauses, and catch_up_fully() before anyone looks at
/// the Screen or resizes it. In a flood of plain text the oldest part is left out once it could no longer be seen:
/// when more rows stand behind it than screen and scrollback hold. The Screen then ends up with exactly the cells,
/// scrollback, pen and cursor that all the bytes would have given; only line numbers of what was left out are counted
/// by line feeds, so rows that would have wrapped there may be missing from them. (Where Options::scrollback_bytes and
/// not the number of lines ends the scrollback, its oldest end may differ by a few lines.)
class Backlog {
 public:
  explicit Backlog(Screen& screen, BacklogLimits limits = {});

  /// Takes bytes. Over the limit, what is oldest is modelled here and now: only then does the model slow the stream.
  void append(std::string_view bytes);

  /// Models about this many bytes; true when nothing is left.
  bool catch_up(std::size_t budget);
  void catch_up_fully();

  std::size_t pending() const { return pending_; }
  std::uint64_t skipped_bytes() const { return skipped_; }

 private:
  /// A closed piece. It ends right after CR LF if there is one in it at all.
  struct Chunk {
    std::string bytes;
    PlainText text;
  };

  void close_open();
  void skip_unseen();
  bool front_is_unseen() const;
  void skip_front();
  void pop_front();
  std::size_t model_front(std::size_t budget);

  Screen& screen_;
  const BacklogLimits limits_;
  std::deque<Chunk> chunks_;
  std::size_t consumed_ = 0;  ///< Of the first chunk.
  std::string open_;          ///< The newest bytes, less than a chunk.
  std::size_t pending_ = 0;
  std::uint64_t skipped_ = 0;
  std::vector<std::string> spare_;  ///< Buffers for reuse: a flood allocates nothing.
};

}  // namespace terminal
