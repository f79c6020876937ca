#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "remote_exec/exchange.h"
#include "remote_exec/hooks.h"
#include "remote_exec/lane.h"

namespace remote_exec {

/// Level *line*: proves the prompt when it is not proven, types one line with marks around the command, and brings the
/// terminal back to a proven prompt whatever happens.
class LineRunner final : public Lane {
 public:
  using Lane::Lane;

  void begin() override;
  void tick() override;
  void operator_input(std::string_view keys) override;
  void stop() override;
  bool settling() const override { return step_ == Step::settling && delivered_; }
  bool may_be_replaced() const override { return step_ == Step::abandoned; }
  std::string take_held() override;

 private:
  enum class Step {
    waiting,       ///< The operator typed something just now; what it does is not to be seen yet.
    probing,       ///< A hidden line asks which shell this is.
    typing,        ///< The command's line is typed, its echo awaited.
    entered,       ///< Enter was sent, the start mark is awaited.
    running,       ///< Between the marks.
    interrupting,  ///< Ctrl-C was sent.
    refused,       ///< Something else than the command answered; its prompt is awaited.
    reproving,     ///< A hidden line shows whether the prompt is back.
    clearing,      ///< Typed text was erased; silence is awaited.
    settling,      ///< The end is known; the next prompt is awaited.
    abandoned,     ///< The result is given and the terminal is not ours; a late end mark ends the lane.
  };
  /// How the command ends once the prompt is proven again.
  struct Ending {
    Status status = Status::done;
    Reason reason = Reason::none;
    std::optional<int> exit_code;
  };

  std::string on_bytes(std::string_view bytes) override;
  void enter_step(Step step);

  // Before typing.
  bool prompt_in_motion(const ScreenView& view, milliseconds reaction) const;
  bool obstructed(const ScreenView& view);
  bool prompt_possible(const ScreenView& view) const;
  void refuse(Status status, Reason reason, std::string note = {});
  void probe_family();
  void probe_variant();
  void install_hooks();
  void probe_answered(const std::string& payload);
  void type_command();
  void with_hooks_type_command();

  // One typed line.
  void type_line(Exchange::Plan plan, Step step);
  void on_echoed();
  void press_enter();
  void on_started();
  void on_ended(const std::string& payload);
  void record(std::string_view bytes);
  void finish_recording();
  void settle_then(std::function<void()> next);
  void settled();

  // By the clock.
  void check_echo();
  void check_probe();
  void check_entered();
  void check_running();
  void check_answered();
  bool restless_editor();
  void check_full_screen();
  void check_interrupting();
  void check_refused();
  void check_settling();
  bool act_on_verdict(const ReadText& instead);
  void diagnose(const ReadText& instead);
  bool prompt_in(std::string_view line) const;
  void ask_person(Asking asking);
  void wait_for_input();
  void note_asked();
  void stop_command(Ending ending);
  bool program_starting() const;
  void interrupt(Ending ending);
  void watch_for_prompt(Ending ending);
  void hear_last_words(std::string_view bytes);
  void keep_last_words();
  void press_harder();
  void reprove();
  void prove_failed();
  void abandon();
  void clear_typed_text(Ending ending);
  void finish();
  milliseconds quiet() const { return since(last_byte_); }

  /// How long silence must last, at the least and at the most, before it means something.
  static constexpr milliseconds kShortest{40};
  static constexpr milliseconds kLongest{400};

  Clock::time_point begun_ = now();
  Step step_ = Step::probing;
  Clock::time_point step_since_ = now();
  std::unique_ptr<Exchange> exchange_;
  std::function<void()> after_settling_;
  std::optional<Ending> ending_;
  std::optional<Ending> stopping_;                  ///< Ctrl-C is due once the program has surely started.
  std::unique_ptr<OutputCleaner> after_interrupt_;  ///< Sees the prompt that follows Ctrl-C.
  std::string last_words_;                          ///< What the program printed since, echo of Ctrl-C included.
  std::size_t heard_ = 0;                           ///< Bytes since Ctrl-C, its echo among them.
  bool probing_family_ = false;
  std::optional<ZshMarkFilter> zsh_mark_;  ///< At level hook in zsh.
  std::optional<Nonce> installing_;        ///< The hooks that the line under way installs.
  int presses_ = 0;                        ///< Keys pressed to stop the program, after the first.
  int quits_ = 0;                          ///< Turns that Ctrl-\ had to work.
  bool just_started_ = false;              ///< The program was, when we interrupted it.
  bool operators_interrupt_ = false;
  bool reads_terminal_ = false;  ///< As far as its text tells, the command does.
  bool printed_ = false;         ///< Something came between the marks.
  bool pressed_q_ = false;
  bool answered_bastion_ = false;
  bool person_asked_ = false;
  bool question_told_ = false;  ///< The panel was told to step aside, and not yet to come back.
  bool first_byte_seen_ = false;
  std::size_t echo_seen_ = 0;
  Clock::time_point echo_progress_ = now();  ///< When echo_seen_ last grew.
  std::optional<Clock::time_point> full_screen_since_;
  std::optional<Clock::time_point> question_left_;  ///< When its line was ended.
  std::optional<Clock::time_point> editor_since_;   ///< While the command runs: a line editor took the terminal.
  std::string held_;                                ///< See take_held().
  bool prompt_back_ = false;                        ///< The known prompt came again; acted on outside of the exchange.
  Clock::time_point deadline_;
  Clock::time_point asked_at_;  ///< When a person was asked, while person_asked_.
};

}  // namespace remote_exec
