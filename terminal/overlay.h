#pragma once

// How a panel comes over a live session and goes away without a trace.
//
// Closed, the remote's bytes reach the operator's terminal untouched and this class has nothing to do. Open, they stop;
// the terminal shows frames instead, on its alternate screen when the remote is on the main one (?1047, because ?1049
// would overwrite the remote's saved cursor), and the bytes that arrive are kept in a bounded log. On closing, the
// terminal brings its own main screen back, gets the modes it had, then the log: screen and native scrollback are
// exactly what they would be without the panel. Only when the log is not enough (too much came, the size changed) is
// the screen rebuilt from the shadow.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/size.h"
#include "terminal/capabilities.h"
#include "terminal/display.h"
#include "terminal/frame.h"
#include "terminal/modes.h"
#include "terminal/screen.h"

namespace terminal {

class Overlay {
 public:
  static constexpr std::size_t kLogLimit = 2 * 1024 * 1024;

  Overlay(const Screen& screen, const Capabilities& capabilities);

  bool is_open() const { return open_; }

  /// Bytes that take the terminal over. The shadow must be up to date with what was forwarded.
  std::string open();

  /// Keeps remote bytes that arrive while open, for close().
  void record(std::string_view bytes);

  /// The terminal's size changed while open: it may have moved its own rows, the log alone no longer fits.
  void resized();

  /// The next picture is painted whole: something else wrote on the terminal.
  void repaint() { display_.invalidate(); }

  /// Bytes that show this picture.
  std::string paint(const Frame& frame);

  /// Bytes that give the terminal back as if the panel had never been there. The shadow must be up to date.
  std::string close();

  /// Bytes that make the terminal ours again after someone else wrote on it (suspend and resume).
  std::string reclaim();

  /// Bytes that leave the terminal usable for whoever comes after us, in whatever state it is now.
  std::string exit_sequence() const;

 private:
  /// Everything about a terminal at one moment besides its cells.
  struct Pose {
    Modes modes;
    Cursor cursor;
    bool wrap_pending = false;
    Cell last_cell;  ///< The cell under the cursor, written again to make a terminal wait to wrap.
  };

  Pose pose_of_shadow() const;
  std::string restore(const Pose& pose) const;
  std::string return_to_main_screen();
  std::string return_to_alternate_screen();
  std::string rebuild_main_screen(std::uint64_t from) const;
  std::string paint_whole(const std::vector<Row>& rows);
  bool log_switches_screens() const;

  const Screen& screen_;
  const Capabilities& capabilities_;
  Display display_;

  bool open_ = false;
  std::string log_;
  bool log_is_whole_ = true;

  // What the terminal looked like when the panel opened.
  Pose before_;
  std::uint64_t top_line_ = 0;  ///< Number of the main screen's first row.
  std::vector<Row> alternate_rows_;
};

}  // namespace terminal
