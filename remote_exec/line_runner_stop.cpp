// The part of LineRunner that stops a command and brings the terminal back to a proven prompt.
#include <algorithm>
#include <utility>

#include "remote_exec/line_runner.h"

namespace remote_exec {
namespace {

constexpr std::string_view kEchoOfCtrlC = "^C";

}  // namespace

/// A Ctrl-C that meets bash between fork and exec brings its prompt back and then gives the terminal to the program all
/// the same; bash reads from a terminal it no longer has, takes that for the end of its input, and is gone.
bool LineRunner::program_starting() const {
  const auto& trip = context_.memory.round_trip;
  return since(step_since_) < (step_ == Step::entered ? std::max(kLongest, 3 * trip) : 2 * kShortest);
}

void LineRunner::stop_command(Ending ending) {
  if (!program_starting()) return interrupt(ending);
  tell(RunState::interrupting);
  stopping_ = ending;
}

void LineRunner::interrupt(Ending ending) {
  tell(RunState::interrupting);
  const auto starting = std::max(milliseconds(250), 2 * context_.memory.round_trip);
  just_started_ = step_ == Step::entered || since(step_since_) < starting;
  // A bastion that asks about this command hears only yes or no; Ctrl-C would make it ask again.
  const bool asked = step_ == Step::entered && bastion_asks(exchange_->text_instead().last_line);
  watch_for_prompt(ending);
  context_.host.send(asked ? "n" : "\x03");
}

void LineRunner::watch_for_prompt(Ending ending) {
  ending_ = ending;
  after_interrupt_ = std::make_unique<OutputCleaner>();
  last_words_.clear();
  heard_ = 0;
  presses_ = 0;
  last_byte_ = now();
  enter_step(Step::interrupting);
}

void LineRunner::check_interrupting() {
  std::string line = after_interrupt_->line_before_cursor();
  if (exchange_->phase() == Exchange::Phase::entered) line = exchange_->text_instead().last_line;
  if (exchange_->phase() == Exchange::Phase::settling) line = read_text(exchange_->prompt()).last_line;
  const bool editor = exchange_->guard().line_editor();
  const auto settled_for = std::max(kShortest, context_.memory.round_trip);
  if (quiet() >= settled_for && (prompt_in(line) || editor)) return reprove();
  if (quiet() >= kLongest && looks_like_prompt(line)) return reprove();
  // A Ctrl-C that comes while the shell starts the program often meets neither; there a second one is due soon. Where
  // more than its echo came back it met somebody: fish, say, that now draws its prompt, and shows none when that is
  // interrupted.
  const bool unheard = heard_ <= kEchoOfCtrlC.size();
  const bool soon = just_started_ && presses_ == 0 && unheard;
  const auto reaction =
      soon ? std::max(milliseconds(150), 2 * context_.memory.round_trip) : context_.memory.patience() / 2;
  if (since(step_since_) < reaction) return;

  step_since_ = now();
  if (!operators_interrupt_) return press_harder();
  // The program goes on in spite of the operator's Ctrl-C, and so does the run.
  if (++presses_ < 2) return;
  operators_interrupt_ = false;
  after_interrupt_->finish(last_words_);
  keep_last_words();
  ending_.reset();
  enter_step(Step::running);
}

void LineRunner::hear_last_words(std::string_view bytes) {
  constexpr std::size_t kMuch = 16 * 1024;
  heard_ += bytes.size();
  after_interrupt_->feed(bytes, last_words_);
  if (last_words_.size() > kMuch) keep_last_words();
}

void LineRunner::keep_last_words() {
  const bool echoed = last_words_.starts_with(kEchoOfCtrlC);
  while (last_words_.starts_with(kEchoOfCtrlC)) last_words_.erase(0, kEchoOfCtrlC.size());
  if (const auto late = last_words_.find("\n^C\n"); late != std::string::npos) last_words_.erase(late, 3);
  // The line end behind the echo of Ctrl-C is the command's own only where a line was under way.
  const bool between_lines = recorder_->current_line().empty() || last_words_ == "\n";
  if (echoed && between_lines && last_words_.starts_with('\n')) last_words_.erase(0, 1);
  finish_recording();
  recorder_->add_text(std::exchange(last_words_, {}));
}

void LineRunner::press_harder() {
  const bool full_screen = exchange_->guard().alternate();
  ++presses_;
  // A Ctrl-C that comes while the shell starts the program can get lost: once more, as a person would. A pager that is
  // just redrawing drops keys, so it gets two as well.
  if (presses_ == 1 || (presses_ == 2 && full_screen)) return context_.host.send(full_screen ? "q" : "\x03");
  if (context_.options.quit_key && quits_ < 2) {  // Ctrl-\ has as long to work as Ctrl-C had.
    if (quits_++ == 0) context_.host.send("\x1c");
    return;
  }
  if (ending_->reason == Reason::none) ending_->reason = Reason::not_interruptible;
  abandon();
}

void LineRunner::reprove() {
  if (!context_.memory.dialect) return abandon();
  const std::string prompt = read_text(context_.memory.prompt_bytes).text;
  const std::string_view above = std::string_view(prompt).substr(0, prompt.rfind('\n') + 1);
  if (!above.empty() && last_words_.ends_with(above)) last_words_.erase(last_words_.size() - above.size());
  // The shell itself goes to a new line when the program was killed.
  if (last_words_ == "\n" || last_words_.ends_with("\n\n")) last_words_.pop_back();
  keep_last_words();
  const Nonce nonce = Nonce::fresh();
  type_line({nonce, prompt_proof(*context_.memory.dialect, nonce), "", true, context_.memory.prompt_bytes},
            Step::reproving);
}

void LineRunner::prove_failed() {
  // A Ctrl-C that met the shell while it was forking gives a prompt, and then the terminal to the program all the same.
  if (operators_interrupt_ || presses_ > 1) return abandon();
  ++presses_;
  last_byte_ = now();
  enter_step(Step::interrupting);
  context_.host.send("\x03");
}

void LineRunner::abandon() {
  finish_recording();
  deliver(ending_->status, ending_->reason, ending_->exit_code);
  context_.memory.proven = false;
  exchange_->let_through();
  enter_step(Step::abandoned);
}

void LineRunner::operator_input(std::string_view keys) {
  if (step_ != Step::running && step_ != Step::entered) return;
  if (keys.find('\x03') == std::string_view::npos && keys.find('\x1c') == std::string_view::npos) return;
  // The operator interrupts: the same way back, without a Ctrl-C of ours.
  operators_interrupt_ = step_ == Step::running;
  watch_for_prompt({Status::interrupted, Reason::none, {}});
}

void LineRunner::stop() {
  const Ending interrupted{Status::interrupted, Reason::none, {}};
  switch (step_) {
    case Step::waiting:
      return refuse(Status::interrupted, Reason::none, std::string(kNeverTyped));
    case Step::probing:
    case Step::settling:  // Behind a probe: the command would be next.
      if (!delivered_ && !ending_) ending_ = interrupted;
      return;
    case Step::typing:
      return clear_typed_text(interrupted);
    case Step::entered:
      // A bastion's question stands for as long as it is not answered, so no program is starting.
      return bastion_asks(exchange_->text_instead().last_line) ? interrupt(interrupted) : stop_command(interrupted);
    case Step::running:
      return stop_command(interrupted);
    default:
      return;
  }
}

}  // namespace remote_exec
