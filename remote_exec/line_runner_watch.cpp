// The part of LineRunner that the clock drives: what to conclude when something does not come.
#include <algorithm>

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
      return check_entered();
    case Step::running:
      return check_running();
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
  if (std::min(quiet(), since(step_since_)) >= needed) settled();
}

void LineRunner::check_echo() {
  ShellMemory& memory = context_.memory;
  const auto short_wait = std::max(milliseconds(300), 3 * memory.round_trip);
  const bool prompt_seen = step_ == Step::reproving || (step_ == Step::typing && memory.proven);
  const bool nothing = exchange_->echo_seen() == 0;
  if (exchange_->echo_end_drawn() && quiet() >= std::max(milliseconds(120), 2 * memory.round_trip)) return on_echoed();
  const auto limit =
      nothing && prompt_seen && (memory.echo_off || step_ == Step::reproving) ? short_wait : memory.patience();
  if (since(step_since_) < limit || quiet() < std::min(limit, kLongest)) return;
  if (nothing && prompt_seen) {
    // A prompt that stopped echoing (stty -echo, or a program that died without undoing it): the line is there.
    memory.echo_off = true;
    return press_enter();
  }
  if (step_ == Step::reproving) {
    context_.host.send("\x15");
    return abandon();
  }
  clear_typed_text({Status::busy, Reason::no_echo, {}});
}

void LineRunner::clear_typed_text(Ending ending) {
  ending_ = ending;
  context_.host.send("\x15");
  last_byte_ = Clock::now();
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
  if (step_ == Step::reproving) return abandon();
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
  if (!paused && Clock::now() >= deadline_) return interrupt({Status::timeout, Reason::none, {}});
  if (quiet() < milliseconds(300)) return;

  const std::string line = recorder_->current_line();
  if (exchange_->guard().alternate()) {
    if (!person_asked_) tell(RunState::full_screen);
    note_asked();
    if (!request_.attended && quiet() > milliseconds(1000)) interrupt({Status::needs_input, Reason::full_screen, {}});
    return;
  }
  const Asking asking = what_is_asked(line);
  if (needs_person(asking) || asking == Asking::pager) return ask_person(asking);
  if (person_asked_) {  // Answered: the time that took is the person's, not the command's.
    deadline_ += Clock::now() - asked_at_;
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

void LineRunner::note_asked() {
  if (!person_asked_) asked_at_ = Clock::now();
  person_asked_ = true;
}

void LineRunner::ask_person(Asking asking) {
  if (!person_asked_) tell(RunState::needs_input, asking);
  note_asked();
  if (request_.attended || quiet() < milliseconds(1000)) return;
  if (asking == Asking::pager && !pressed_q_) {
    pressed_q_ = true;
    ending_ = Ending{Status::needs_input, Reason::pager, {}};
    context_.host.send("q");
    last_byte_ = Clock::now();
    return;
  }
  interrupt({Status::needs_input, reason_for(asking), {}});
}

// ---- Stopping and coming back
// ----------------------------------------------------------------------------------------

void LineRunner::interrupt(Ending ending) {
  tell(RunState::interrupting);
  watch_for_prompt(ending);
  context_.host.send("\x03");
}

void LineRunner::watch_for_prompt(Ending ending) {
  ending_ = ending;
  after_interrupt_ = std::make_unique<OutputCleaner>();
  after_interrupt_text_.clear();
  presses_ = 0;
  last_byte_ = Clock::now();
  enter_step(Step::interrupting);
}

void LineRunner::check_interrupting() {
  std::string line = after_interrupt_->line_before_cursor();
  if (exchange_->phase() == Exchange::Phase::entered) line = exchange_->text_instead().last_line;
  const bool editor = exchange_->guard().line_editor();
  const auto settled_for = std::max(kShortest, context_.memory.round_trip);
  if (quiet() >= settled_for && (prompt_in(line) || editor)) return reprove();
  if (quiet() >= kLongest && looks_like_prompt(line)) return reprove();
  if (since(step_since_) < context_.memory.patience() / 2) return;

  step_since_ = Clock::now();
  if (operators_interrupt_) {
    // The program goes on in spite of the operator's Ctrl-C, and so does the run.
    if (++presses_ < 2) return;
    operators_interrupt_ = false;
    after_interrupt_->finish(after_interrupt_text_);
    recorder_->add_text(after_interrupt_text_);
    ending_.reset();
    return enter_step(Step::running);
  }
  press_harder();
}

void LineRunner::press_harder() {
  switch (++presses_) {
    case 1:
      // A Ctrl-C that comes while the shell starts the program can get lost: once more, as a person would.
      return context_.host.send(exchange_->guard().alternate() ? "q" : "\x03");
    case 2:
      if (context_.options.quit_key) return context_.host.send("\x1c");
      break;
    case 3:
      if (context_.options.quit_key) return;  // Ctrl-\ has as long to work as Ctrl-C had.
      break;
    default:
      break;
  }
  if (ending_->reason == Reason::none) ending_->reason = Reason::not_interruptible;
  abandon();
}

void LineRunner::reprove() {
  if (!context_.memory.dialect) return abandon();
  const Nonce nonce = Nonce::fresh();
  finish_recording();
  type_line({nonce, prompt_proof(*context_.memory.dialect, nonce), "", true, context_.memory.prompt_bytes},
            Step::reproving);
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
      if (!bastion_asks(exchange_->text_instead().last_line)) return interrupt({Status::interrupted, Reason::none, {}});
      tell(RunState::interrupting);
      watch_for_prompt({Status::interrupted, Reason::none, {}});
      return context_.host.send("n");
    case Step::running:
      return interrupt({Status::interrupted, Reason::none, {}});
    default:
      return;
  }
}

}  // namespace remote_exec
