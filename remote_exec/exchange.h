#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "remote_exec/echo_filter.h"
#include "remote_exec/marks.h"
#include "remote_exec/output_cleaner.h"
#include "remote_exec/screen_guard.h"

namespace remote_exec {

/// The text of `raw` as a person would read it, and its last line.
struct ReadText {
  std::string text;
  std::string last_line;  ///< Up to the cursor.
};
ReadText read_text(std::string_view raw);

/// One line typed at a prompt, followed from its echo to the next prompt by the bytes that come back.
///
/// Passive: it sends nothing and keeps no time. Its owner types the line, presses Enter when told that the echo is
/// complete, and decides when to give up. filter() returns what the operator's screen gets: for a command the command
/// and its output, as if typed by hand; for a hidden line (a probe) nothing.
class Exchange final : private MarkScanner::Sink {
 public:
  struct Plan {
    Nonce nonce;
    std::string line;          ///< As typed, without Enter.
    std::string shown;         ///< What the operator sees in its place.
    bool hidden = false;       ///< Nothing is shown, and the prompt that follows neither: it is on the screen already.
    std::string known_prompt;  ///< The bytes that followed the last end mark; when they come again, the prompt is back.
    bool by_hooks = false;     ///< The prompt brings the marks; the nonce is the hooks', not this line's alone.
  };
  struct Events {
    std::function<void()> on_echoed;                   ///< Press Enter now.
    std::function<void()> on_started;                  ///< The start mark came.
    std::function<void(std::string_view)> on_output;   ///< Raw bytes between the marks.
    std::function<void(const std::string&)> on_ended;  ///< The end mark or the probe's answer came, with its payload.
    std::function<void()> on_prompt;                   ///< The known prompt came again after the end.
  };
  enum class Phase { echoing, entered, running, settling };

  Exchange(Plan plan, Events events);

  std::string filter(std::string_view bytes);

  /// Enter has been sent.
  void entered();
  /// The start did not come: shows what came instead, and from now on everything.
  std::string show_instead();
  /// The terminal is no longer ours: everything passes, a late end mark is still told.
  void let_through();
  /// No mark is awaited any longer: what may have been the beginning of one is the screen's.
  std::string give_up_marks() { return scanner_.give_up(); }
  /// Hidden lines: what the operator has not seen of the prompt.
  std::string unseen_prompt() const { return plan_.hidden ? prompt_ : std::string(); }

  Phase phase() const { return phase_; }
  std::size_t echo_seen() const { return echo_.seen(); }
  bool echo_end_drawn() const { return echo_.end_drawn(); }
  const Plan& plan() const { return plan_; }
  /// The end came without its start, which the shell lost: what was printed since Enter was taken for output.
  bool start_lost() const { return start_lost_; }
  /// A prompt's end mark came where the hooks' start was awaited.
  bool hook_ended() const { return hook_ended_; }
  /// Bytes since the end mark, bounded.
  const std::string& prompt() const { return prompt_; }
  /// What was printed after Enter instead of the start mark, as text; its last line without a line end.
  ReadText text_instead() const;
  /// The same as it came, for who must see how it was written.
  const std::string& raw_instead() const { return shows_instead_ ? instead_ : echo_.after(); }
  const ScreenGuard& guard() const { return guard_; }
  /// What only a typed line of ours holds; a line of output with it is the wrapper shown by `set -x` or the like.
  static std::string typed_mark(const Nonce& nonce);

 private:
  void on_text(std::string_view bytes) override;
  void on_mark(const Mark& mark) override;
  void started();
  void ended(const std::string& payload);
  void settle(std::string_view bytes);
  std::string shown_command() const;
  std::string beyond_line(std::string_view after) const;

  Plan plan_;
  Events events_;
  MarkScanner scanner_;
  EchoFilter echo_;
  EchoFilter hidden_prompt_{""};
  ScreenGuard guard_;
  std::string prompt_text_;  ///< Of the known prompt: what stands in front of the line.
  Phase phase_ = Phase::echoing;
  bool shows_instead_ = false;
  bool start_lost_ = false;
  bool hook_ended_ = false;
  std::string instead_;  ///< Raw bytes after Enter, once they are shown; bounded.
  std::string prompt_;
  std::string out_;
};

}  // namespace remote_exec
