#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/size.h"
#include "tests/support/test_env.h"

namespace support {

/// A private tmux server with one window: a real terminal, written by others, around the program under test.
///
/// tmux has no event for "the pane now shows X", so the waits look again every few milliseconds until a deadline.
class Tmux {
 public:
  static constexpr std::chrono::milliseconds kLimit{10'000};
  enum class Part { screen, with_history };
  enum class Look { text, with_escapes };

  explicit Tmux(const TestEnv& env, base::Size size = {});
  ~Tmux();
  Tmux(const Tmux&) = delete;
  Tmux& operator=(const Tmux&) = delete;

  /// Starts the window's program. The window outlives it, so that its last screen can be read.
  void start(const std::vector<std::string>& argv);

  /// Keys by tmux's names: "Enter", "C-c", "Escape"; other words are typed.
  void send_keys(const std::vector<std::string>& keys);
  void type(std::string_view text);
  /// Exactly these bytes, as one piece.
  void send_raw(std::string_view bytes);
  /// A paste as a terminal makes it: bracketed when the program asked for that.
  void paste(std::string_view text);
  void resize(base::Size size);

  std::string capture(Part part = Part::screen, Look look = Look::text);
  /// A tmux format of the pane: "#{alternate_on}", "#{cursor_x},#{cursor_y}", "#{pane_dead_status}".
  std::string ask(std::string_view format);

  bool wait_until(const std::function<bool()>& done, std::chrono::milliseconds limit = kLimit);
  /// Waits until the screen matches an ECMAScript regular expression.
  bool wait_for_text(const std::string& pattern, std::chrono::milliseconds limit = kLimit);
  /// Waits until two looks in a row show the same.
  void settle();
  /// Waits for the end of the program; gives its exit code, 128 + signal, or -1 when it still runs at the limit.
  int wait_for_exit(std::chrono::milliseconds limit = kLimit);

 private:
  std::string run(std::vector<std::string> arguments, std::string_view input = {});

  std::vector<std::string> environment_;
  std::string socket_;
  std::string directory_;
  base::Size size_;
};

}  // namespace support
