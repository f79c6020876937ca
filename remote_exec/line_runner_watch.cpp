// The part of LineRunner that the clock drives: what to conclude when something does not come.
#include <algorithm>
#include <utility>

#include "remote_exec/line_runner.h"

namespace remote_exec {
namespace {

constexpr milliseconds kShortest{40};
constexpr milliseconds kLongest{400};

bool same_ending(std::string_view line, std::string_view known) {
  if (line.size() < 2 || known.size() < 2) return false;
  return line.substr(line.size() - 2) == known.substr(known.size() - 2);
}

Reason reason_for(Asking asking) {
  switch (asking) {
    case Asking::password:
      return Reason::password;
    case Asking::yes_no:
      return Reason::yes_no;
    case Asking::pager:
      return Reason::pager;
    case Asking::continuation:
      return Reason::continuation;
    default:
      return Reason::question;
  }
}

}  // namespace

void LineRunner::tick() {
  switch (step_) {
    case Step::waiting:
      return begin();
    case Step::typing:
      return check_echo();
    case Step::probing:
    case Step::reproving:
      if (exchange_->phase() == Exchange::Phase::echoing) return check_echo();
      return check_probe();
    case Step::entered:
    case Step::running:
      if (stopping_ && !program_starting()) return interrupt(*std::exchange(stopping_, std::nullopt));
      return step_ == Step::entered ? check_entered() : check_running();
    case Step::interrupting:
      return check_interrupting();
    case Step::refused:
      return check_refused();
    case Step::clearing:
      if (quiet() < std::clamp(2 * context_.memory.round_trip, kShortest, kLongest)) return;
      context_.memory.proven = false;
      return finish();
    case Step::settling:
      return check_settling();
    case Step::abandoned:
      return;
  }
}

bool LineRunner::prompt_in(std::string_view line) const {
  const ShellMemory& memory = context_.memory;
  return memory.prompt_known && !memory.prompt_line.empty() && line.ends_with(memory.prompt_line);
}

void LineRunner::check_settling() {
  const ShellMemory& memory = context_.memory;
  const std::string line = read_text(exchange_->prompt()).last_line;
  milliseconds needed = memory.patience();
  if (line.find_first_not_of(' ') != std::string::npos) {
    needed = std::clamp(2 * memory.round_trip, kShortest, kLongest);
    if (same_ending(line, memory.prompt_line)) needed = std::max(kShortest / 2, memory.round_trip / 2);
  } else if (exchange_->prompt().find("\033[?2004h") != std::string::npos) {
    needed = kLongest;
  }
  if (std::min(quiet(), since(step_since_)) >= needed) return settled();
  // Something goes on drawing there: a prompt with a clock, a job in the background, a window that is being resized.
  if (since(step_since_) >= 2 * memory.patience()) settled();
}

void LineRunner::check_echo() {
  ShellMemory& memory = context_.memory;
  const auto short_wait = std::max(milliseconds(300), 3 * memory.round_trip);
  const bool prompt_seen = step_ == Step::reproving || (step_ == Step::typing && memory.proven);
  const bool nothing = exchange_->echo_seen() == 0;
  if (exchange_->echo_end_drawn() && quiet() >= std::max(milliseconds(120), 2 * memory.round_trip)) return on_echoed();
  const auto limit =
      nothing && prompt_seen && (memory.echo_off || step_ == Step::reproving) ? short_wait : memory.patience();
  if (exchange_->echo_seen() != echo_seen_) {
    echo_seen_ = exchange_->echo_seen();
    echo_progress_ = now();
  }
  if (since(step_since_) < limit || std::max(quiet(), since(echo_progress_) - limit) < std::min(limit, kLongest))
    return;
  if (nothing && prompt_seen) {
    // A prompt that stopped echoing (stty -echo, or a program that died without undoing it): the line is there.
    memory.echo_off = true;
    return press_enter();
  }
  if (step_ == Step::reproving) {
    context_.host.send("\x15");
    return prove_failed();
  }
  clear_typed_text({Status::busy, Reason::no_echo, {}});
}

void LineRunner::clear_typed_text(Ending ending) {
  ending_ = ending;
  context_.host.send("\x15");
  last_byte_ = now();
  enter_step(Step::clearing);
}

// ---- Enter was sent and no start mark came
// ---------------------------------------------------------------------------

void LineRunner::check_entered() {
  const ReadText instead = exchange_->text_instead();
  const bool something = instead.text.find_first_not_of(" \n") != std::string::npos;
  if (something && quiet() >= kShortest && act_on_verdict(instead)) return;
  const auto settled_for = std::max(2 * kShortest, context_.memory.round_trip);
  if (something && quiet() >= settled_for && prompt_in(instead.last_line)) return diagnose(instead);
  if (person_asked_) return;
  if (since(step_since_) > context_.memory.patience() && quiet() > kLongest) diagnose(instead);
}

bool LineRunner::act_on_verdict(const ReadText& instead) {
  const Verdict verdict = bastion_verdict(instead.text);
  if (verdict == Verdict::none) return false;
  context_.host.show(exchange_->show_instead());
  if (verdict == Verdict::forbidden) {
    ending_ = Ending{Status::rejected, Reason::forbidden, {}};
    recorder_->add_text(instead.text.substr(0, instead.text.rfind('\n') + 1));
    enter_step(Step::refused);
    return true;
  }
  const bool review = verdict != Verdict::confirm_question;
  const Ending ending{
      review ? Status::waiting_review : Status::needs_input, review ? Reason::review : Reason::confirm, {}};
  if (!request_.attended) {
    if (answered_bastion_) return true;
    answered_bastion_ = true;
    // One byte, no Enter: anything else repeats the question. A review under way is cancelled with Ctrl-C.
    context_.host.send(verdict == Verdict::review_running ? "\x03" : "n");
    ending_ = ending;
    enter_step(Step::refused);
    return true;
  }
  if (!person_asked_) tell(review ? RunState::waiting_review : RunState::needs_input, Asking::yes_no);
  note_asked();
  if (quiet() >= 2 * kShortest && prompt_in(instead.last_line)) {  // Answered with no.
    ending_ = Ending{Status::rejected, ending.reason, {}};
    enter_step(Step::refused);
  }
  return true;
}

void LineRunner::check_refused() {
  const ReadText instead = exchange_->text_instead();
  const bool back = prompt_in(instead.last_line) && quiet() >= kShortest;
  if (!back && quiet() < kLongest) return;
  if (back) {
    context_.memory.proven = true;
    context_.operator_line.reset(context_.memory.prompt_line);
  }
  finish();
}

void LineRunner::diagnose(const ReadText& instead) {
  context_.host.show(exchange_->show_instead());
  const bool back = prompt_in(instead.last_line) || exchange_->guard().line_editor();
  if (back) {
    const bool history = instead.text.find("event not found") != std::string::npos ||
                         instead.text.find("Event not found") != std::string::npos;
    recorder_->add_text(instead.text.substr(0, instead.text.rfind('\n') + 1));
    ending_ = Ending{Status::rejected, history ? Reason::history_expansion : Reason::syntax, {}};
    // Perhaps it is another shell than we took it for: ask it anew, and do not trust this prompt's looks again.
    context_.memory.levels.erase(context_.memory.prompt_line);
    finish_recording();
    return probe_family();
  }
  const Asking asking = what_is_asked(instead.last_line);
  if (asking == Asking::continuation) {
    // Only the line we typed ourselves stands open here, so it is ours to cancel.
    return interrupt({Status::rejected, Reason::continuation, {}});
  }
  ending_ = Ending{Status::busy, Reason::foreground_program, {}};
  if (needs_person(asking)) ending_ = Ending{Status::needs_input, reason_for(asking), {}};
  abandon();
}

void LineRunner::check_probe() {
  const ReadText instead = exchange_->text_instead();
  // A device says at once that it knows no such command, and shows its prompt again.
  const bool device = client_of(instead.last_line) == Client::device && quiet() >= milliseconds(200);
  if (!device && since(step_since_) <= context_.memory.patience()) return;
  if (step_ == Step::reproving) return prove_failed();
  const std::string shown = context_.host.look().before_cursor;
  if (shown != instead.last_line) context_.host.show(exchange_->show_instead());
  const bool client = client_of(instead.last_line) != Client::none;
  if (!ending_ && (client || context_.options.quiet_level)) {
    context_.memory.clients.insert(instead.last_line);
    if (context_.memory.clients.size() > ShellMemory::kMaxLevels) context_.memory.clients.clear();
    wants_client_ = true;
    return;
  }
  if (!ending_) ending_ = Ending{Status::busy, Reason::no_shell, {}};
  abandon();
}

// ---- Between the marks
// -----------------------------------------------------------------------------------------------

void LineRunner::check_running() {
  const bool paused = person_asked_ && request_.attended;
  if (!paused && now() >= deadline_ && !stopping_) return stop_command({Status::timeout, Reason::none, {}});
  if (exchange_->guard().alternate()) return check_full_screen();
  full_screen_since_.reset();
  if (quiet() < milliseconds(300)) return;

  const std::string line = recorder_->current_line();
  const Asking asking = what_is_asked(line);
  if (needs_person(asking) || asking == Asking::pager) return ask_person(asking);
  if (reads_terminal_ && !printed_ && quiet() >= context_.memory.patience()) return wait_for_input();
  if (person_asked_) {  // Answered: the time that took is the person's, not the command's.
    deadline_ += now() - asked_at_;
    person_asked_ = false;
  }

  const auto long_quiet = std::max(milliseconds(700), 3 * context_.memory.round_trip);
  if (quiet() < long_quiet) return;
  const bool editor = exchange_->guard().line_editor();
  const bool same_prompt = prompt_in(line) && (editor || !context_.memory.dialect->edits_lines);
  const bool opened = opens_prompt(request_.command) && looks_like_prompt(line) && quiet() >= milliseconds(1000);
  if (!same_prompt && !opened && !(editor && looks_like_prompt(line))) return;

  ending_ = Ending{Status::done, Reason::end_not_seen, {}};
  recorder_->drop_current_line();
  context_.memory.dialect.reset();
  if (client_of(line) != Client::none) return finish();
  probe_family();
}

void LineRunner::check_full_screen() {
  if (!full_screen_since_) full_screen_since_ = now();
  const auto shown = since(*full_screen_since_);
  if (shown < milliseconds(300)) return;
  if (!person_asked_) tell(RunState::full_screen);
  note_asked();
  if (request_.attended) return;
  // What waits is stopped at once; what goes on drawing (watch, htop) perhaps ends by itself.
  if (quiet() > milliseconds(1000) || shown > milliseconds(5000))
    interrupt({Status::needs_input, Reason::full_screen, {}});
}

void LineRunner::note_asked() {
  if (!person_asked_) asked_at_ = now();
  person_asked_ = true;
}

void LineRunner::wait_for_input() {
  if (!person_asked_) tell(RunState::needs_input, Asking::question);
  note_asked();
  if (!request_.attended) interrupt({Status::needs_input, Reason::reads_terminal, {}});
}

void LineRunner::ask_person(Asking asking) {
  if (!person_asked_) tell(RunState::needs_input, asking);
  note_asked();
  if (request_.attended || quiet() < milliseconds(1000)) return;
  if (asking == Asking::pager && !pressed_q_) {
    pressed_q_ = true;
    ending_ = Ending{Status::needs_input, Reason::pager, {}};
    context_.host.send("q");
    last_byte_ = now();
    return;
  }
  interrupt({Status::needs_input, reason_for(asking), {}});
}

// ---- Stopping and coming back
// ----------------------------------------------------------------------------------------

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
  watch_for_prompt(ending);
  context_.host.send("\x03");
}

void LineRunner::watch_for_prompt(Ending ending) {
  ending_ = ending;
  after_interrupt_ = std::make_unique<OutputCleaner>();
  last_words_.clear();
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
  // A Ctrl-C that comes while the shell starts the program often meets neither; there a second one is due soon.
  const bool soon = just_started_ && presses_ == 0;
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
  after_interrupt_->feed(bytes, last_words_);
  if (last_words_.size() > kMuch) keep_last_words();
}

void LineRunner::keep_last_words() {
  const bool echoed = last_words_.starts_with("^C");
  while (last_words_.starts_with("^C")) last_words_.erase(0, 2);
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
  switch (step_) {
    case Step::probing:
      ending_ = Ending{Status::interrupted, Reason::none, {}};
      return;
    case Step::typing:
      return clear_typed_text({Status::interrupted, Reason::none, {}});
    case Step::entered:
      // A bastion that asks about this command hears only yes or no; Ctrl-C would make it ask again.
      if (!bastion_asks(exchange_->text_instead().last_line))
        return stop_command({Status::interrupted, Reason::none, {}});
      tell(RunState::interrupting);
      watch_for_prompt({Status::interrupted, Reason::none, {}});
      return context_.host.send("n");
    case Step::running:
      return stop_command({Status::interrupted, Reason::none, {}});
    default:
      return;
  }
}

}  // namespace remote_exec
