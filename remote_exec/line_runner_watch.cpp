// The part of LineRunner that the clock drives: what to conclude when something does not come.
#include <algorithm>
#include <utility>

#include "remote_exec/line_runner.h"

namespace remote_exec {
namespace {

bool same_ending(std::string_view line, std::string_view known) {
  if (line.size() < 2 || known.size() < 2) return false;
  return line.substr(line.size() - 2) == known.substr(known.size() - 2);
}

/// Longer than programs wait before they ask for a wrong password again.
constexpr milliseconds kAskedAgain{3000};

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
  // What became of the command is known already where only its prompt was asked for.
  clear_typed_text(ending_.value_or(Ending{Status::busy, Reason::no_echo, {}}));
}

void LineRunner::clear_typed_text(Ending ending) {
  ending_ = ending;
  context_.host.send("\x15");
  last_byte_ = now();
  enter_step(Step::clearing);
}

// ---- Enter was sent and no start mark came

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
  Verdict verdict = bastion_verdict(instead.text);
  // Words differ by language and version; the form of a rejection does not, nor that a review names the command.
  const std::string_view raw = exchange_->raw_instead();
  const std::string_view question = raw.substr(raw.rfind('\n') + 1);
  if (verdict == Verdict::none && bastion_forbids(raw)) verdict = Verdict::forbidden;
  if (verdict == Verdict::confirm_question && question.find(request_.command) != std::string_view::npos)
    verdict = Verdict::review_question;
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
  if (back && exchange_->hook_ended() && context_.memory.dialect && context_.memory.dialect->shell == Shell::fish) {
    // fish tells the end of what ran and of nothing else: only the start was lost.
    ending_ = Ending{Status::busy, Reason::no_start, {}};
    return abandon();
  }
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
  ending_ = Ending{Status::busy, Reason::no_start, {}};
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

void LineRunner::check_running() {
  const bool paused = person_asked_ && request_.attended;
  if (!paused && now() >= deadline_ && !stopping_) return stop_command({Status::timeout, Reason::none, {}});
  check_answered();
  if (exchange_->guard().alternate()) return check_full_screen();
  full_screen_since_.reset();
  const bool restless = restless_editor();
  if (quiet() < milliseconds(300) && !restless) return;

  const std::string line = recorder_->current_line();
  const Asking asking = what_is_asked(line);
  if (needs_person(asking) || asking == Asking::pager) return ask_person(asking);
  if (reads_terminal_ && !printed_ && quiet() >= context_.memory.patience()) return wait_for_input();
  if (person_asked_) {  // Answered: the time that took is the person's, not the command's.
    deadline_ += now() - asked_at_;
    person_asked_ = false;
  }

  // An editor that waits is a prompt; a text that looks like one may be the command's own, with a pause behind it.
  const bool editor = exchange_->guard().prompt_announced();
  const auto long_quiet =
      editor ? std::max(milliseconds(700), 3 * context_.memory.round_trip) : context_.memory.patience();
  if (quiet() < long_quiet && !restless) return;
  const bool same_prompt = prompt_in(line) && (editor || !context_.memory.dialect->edits_lines);
  const bool opened = opens_prompt(request_.command) && looks_like_prompt(line) && quiet() >= milliseconds(1000);
  if (!same_prompt && !opened && !(editor && looks_like_prompt(line))) return;

  ending_ = Ending{Status::done, Reason::end_not_seen, {}};
  recorder_->drop_current_line();
  context_.memory.dialect.reset();
  if (client_of(line) != Client::none) return finish();
  probe_family();
}

/// The panel may come back once the line of the question has been left for a while: a wrong password is asked for again
/// after two seconds of silence. What reads the terminal has it to its end.
void LineRunner::check_answered() {
  if (!question_left_ || reads_terminal_ || since(*question_left_) < kAskedAgain) return;
  if (needs_person(what_is_asked(recorder_->current_line()))) return;
  if (std::exchange(person_asked_, false)) deadline_ += *question_left_ - asked_at_;
  question_left_.reset();
  question_told_ = false;
  tell(RunState::running);
}

/// A prompt that is drawn again and again (a window being resized, a clock in it) never falls silent.
bool LineRunner::restless_editor() {
  if (!exchange_->guard().prompt_announced()) {
    editor_since_.reset();
    return false;
  }
  if (!editor_since_) editor_since_ = now();
  return since(*editor_since_) >= 2 * context_.memory.patience();
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
  question_told_ = true;
  question_left_.reset();
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

}  // namespace remote_exec
