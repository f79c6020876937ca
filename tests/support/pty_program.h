#pragma once

#include <sys/types.h>
#include <termios.h>

#include <chrono>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/size.h"
#include "base/unique_fd.h"
#include "terminal/screen.h"

namespace support {

using std::chrono::milliseconds;

/// How a program ended.
struct Ending {
  int code = 0;    ///< Its exit code, when no signal ended it.
  int signal = 0;  ///< The signal that ended it, or 0.

  friend bool operator==(const Ending&, const Ending&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Ending& ending) {
    return out << (ending.signal ? "signal " : "code ") << (ending.signal ? ending.signal : ending.code);
  }
};

/// A program on a bare pseudo-terminal, with this object as the operator's terminal: it sends keys, collects every
/// byte, draws them with an emulator and answers queries as a terminal does.
///
/// Nothing runs behind the test's back: bytes move only inside the wait_… calls and send().
class PtyProgram {
 public:
  struct Options {
    std::vector<std::string> argv;
    std::vector<std::string> environment;  ///< All of it: nothing is inherited.
    base::Size size;
    std::string directory;       ///< Where it runs; empty: where the test does.
    bool emulate = true;         ///< Draw the output; off for floods that nobody looks at.
    bool answer_queries = true;  ///< Send what the emulator replies to DA, DSR… back to the program.
    bool controlling = true;     ///< It is the program's controlling terminal; off: its end sends no SIGHUP.
  };

  static constexpr milliseconds kLimit{10'000};

  explicit PtyProgram(const Options& options);
  ~PtyProgram();
  PtyProgram(const PtyProgram&) = delete;
  PtyProgram& operator=(const PtyProgram&) = delete;

  void send(std::string_view keys);
  void resize(base::Size size);
  /// Sends a signal to the program itself, not to what it started.
  void kill(int signal_number);
  /// Closes the terminal's side, as closing a terminal window does.
  void hang_up();

  /// Serves the terminal until `done`; false when `limit` passed or the program ended before.
  bool wait_until(const std::function<bool()>& done, milliseconds limit = kLimit);
  /// Waits for bytes in the output after those an earlier wait_for() found.
  bool wait_for(std::string_view text, milliseconds limit = kLimit);
  /// Waits until the drawn screen shows `text` somewhere.
  bool wait_for_screen(std::string_view text, milliseconds limit = kLimit);
  /// Waits until nothing has arrived for `quiet`; gives up on a flood.
  void settle(milliseconds quiet = milliseconds(150));
  std::optional<Ending> wait_for_exit(milliseconds limit = kLimit);
  /// Lets time pass without reading: a terminal that the operator stopped with Ctrl-S.
  void stay_deaf(milliseconds time);

  const std::string& output() const { return output_; }
  /// From now on queries are, or are not, answered.
  void answer_queries(bool answer);
  /// Forgets the output so far; what is drawn stays.
  void forget_output();
  /// Everything the emulator answered to queries, in order.
  const std::string& answers() const { return answers_; }

  const terminal::Screen& screen() const { return screen_; }
  std::string row(int index) const { return terminal::row_text(screen_.row(index)); }
  /// All rows, '\n' after each.
  std::string screen_text() const;

  /// The line settings of the terminal, as `stty` would print them, also after the program's end.
  termios settings() const;
  /// The same before the program began.
  const termios& first_settings() const { return first_settings_; }
  pid_t pid() const { return pid_; }

 private:
  void launch(const Options& options);
  bool pump(std::chrono::steady_clock::time_point deadline);
  bool read_available();
  void write_pending();

  bool emulate_;
  terminal::Screen screen_;
  base::UniqueFd master_;
  base::UniqueFd slave_;  ///< Kept open, so that the settings can be read after the program's end.
  base::UniqueFd pidfd_;
  termios first_settings_{};
  pid_t pid_ = -1;
  std::optional<Ending> ending_;
  std::string output_;
  std::size_t found_ = 0;  ///< Where the next wait_for() begins.
  std::string pending_;
  std::string answers_;
};

}  // namespace support
