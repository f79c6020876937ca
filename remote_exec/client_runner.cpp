#include "remote_exec/client_runner.h"

#include <algorithm>

namespace remote_exec {
namespace {

constexpr milliseconds kSamePrompt{150};
constexpr milliseconds kLikePrompt{400};
constexpr milliseconds kSilence{1500};
/// Pages of a device's output that are fetched for one command.
constexpr int kMaxPages = 2000;

bool takes_sql(Client client) {
  return client == Client::mysql || client == Client::psql || client == Client::sqlite;
}

}  // namespace

ClientRunner::ClientRunner(LaneContext context, ExecRequest request, std::shared_ptr<RunLink> link)
    : Lane(context, std::move(request), std::move(link)) {}

std::optional<std::string> ClientRunner::problem_with(std::string_view command) const {
  if (command.find_first_of("\n\t") != std::string_view::npos)
    return "This prompt takes one line at a time, without tabs. Nothing was typed; send the lines one by one.";
  const bool meta = command.starts_with('\\') || command.starts_with('.');
  const bool closed = command.ends_with(';') || command.ends_with("\\G") || command.ends_with("\\g");
  if (takes_sql(client_) && !meta && !closed) return "A statement must end with `;` here. Nothing was typed.";
  if (client_ == Client::python && command.ends_with(':'))
    return "The statement is not complete; write it on one line. Nothing was typed.";
  if (client_ == Client::device && command.find('?') != std::string_view::npos)
    return "`?` asks this device for help at once instead of being typed. Nothing was typed.";
  return std::nullopt;
}

void ClientRunner::begin() {
  const ScreenView view = context_.host.look();
  prompt_ = view.before_cursor;
  client_ = client_of(prompt_);
  framing_ = client_ == Client::none ? Framing::quiet : Framing::prompt;
  const auto text = checked_text(request_.command);
  const auto problem = text ? problem_with(*text) : text.error().message;
  if (problem) {
    deliver(Status::rejected, Reason::refused, {}, *problem);
    over_ = true;
    return;
  }
  recorder_ = std::make_unique<Recorder>(
      context_.options.output, context_.options.encoding, "",
      [link = link_](std::string_view out) {
        if (link->wanted && link->callbacks.on_output) link->callbacks.on_output(out);
      },
      request_.output_filter);
  echo_ = std::make_unique<EchoFilter>(*text);
  tell(RunState::typing);
  type(*text);
}

std::string ClientRunner::on_bytes(std::string_view bytes) {
  std::string shown;
  if (step_ == Step::typing) {
    std::string ignored;
    echo_->feed(bytes, ignored);
    if (echo_->complete()) {
      const std::string after = echo_->after();
      step_ = Step::running;
      step_since_ = now();
      context_.host.send("\r");
      tell(RunState::running);
      record(after);
    }
    return std::string(bytes);
  }
  record(bytes);
  guard_.feed(bytes, shown);
  return shown;
}

void ClientRunner::record(std::string_view bytes) {
  if (!past_echo_) {
    const auto line_feed = bytes.find('\n');
    if (line_feed == std::string_view::npos) return;
    past_echo_ = true;
    bytes.remove_prefix(line_feed + 1);
  }
  if (person_asked_ && bytes.find('\n') != std::string_view::npos) asked_line_left_ = true;
  recorder_->add(bytes);
}

void ClientRunner::tick() {
  const auto patience = context_.memory.patience();
  switch (step_) {
    case Step::typing:
      if (since(step_since_) < patience) return;
      context_.host.send("\x15");
      return finish(Status::busy, Reason::no_echo);
    case Step::running:
      return check_running();
    case Step::interrupting: {
      const std::string line = recorder_->current_line();
      if (quiet() >= kSamePrompt && (line.ends_with(prompt_) || client_of(line) == client_)) {
        recorder_->drop_current_line();
        return finish(status_, reason_);
      }
      if (since(step_since_) < patience) return;
      return finish(status_, reason_ == Reason::none ? Reason::not_interruptible : reason_);
    }
  }
}

void ClientRunner::check_running() {
  if (!person_asked_ && since(step_since_) - asked_for_ >= request_.timeout)
    return interrupt(Status::timeout, Reason::none);
  if (!past_echo_) return;
  const std::string line = recorder_->current_line();
  if (what_is_asked(line) == Asking::pager && quiet() >= milliseconds(30)) {
    if (client_ == Client::device && pages_ < kMaxPages) {
      ++pages_;
      context_.host.send(" ");
      last_byte_ = now() + milliseconds(100);  // Its answer is a round trip away.
      return;
    }
    if (quiet() >= kLikePrompt) return interrupt(Status::needs_input, Reason::pager);
    return;
  }
  const bool same = client_ != Client::none && line == prompt_;
  const bool open = client_continuation(client_, line);
  const bool alike = client_ != Client::none && client_of(line) == client_ && !open;
  const auto slack = 2 * context_.memory.round_trip;
  if ((same && quiet() >= std::max(kSamePrompt, slack)) || (alike && quiet() >= std::max(kLikePrompt, slack))) {
    recorder_->drop_current_line();
    return finish(Status::done, Reason::none);
  }
  if (quiet() < std::max(kLikePrompt, slack)) return;
  if (open) return interrupt(Status::rejected, Reason::continuation);
  const Asking asking = what_is_asked(line);
  if (needs_person(asking)) return ask_person(asking);
  answered();
  if (client_ == Client::none && quiet() >= std::max(kSilence, 4 * context_.memory.round_trip))
    finish(Status::done, Reason::none);
}

/// A secret is the operator's to type (`enable` on a device): the panel steps aside, and the time is the person's.
void ClientRunner::ask_person(Asking asking) {
  if (!request_.attended)
    return interrupt(Status::needs_input, asking == Asking::password ? Reason::password : Reason::question);
  if (person_asked_) return;
  person_asked_ = true;
  asked_at_ = now();
  asked_line_left_ = false;
  tell(RunState::needs_input, asking);
}

/// Its line was ended and no other question stands there.
void ClientRunner::answered() {
  if (!person_asked_ || !asked_line_left_) return;
  person_asked_ = false;
  asked_for_ += since(asked_at_);
  tell(RunState::running);
}

void ClientRunner::interrupt(Status status, Reason reason) {
  status_ = status;
  reason_ = reason;
  step_ = Step::interrupting;
  step_since_ = last_byte_ = now();
  tell(RunState::interrupting);
  // At its continuation prompt Ctrl-C ends sqlite3 altogether; there an empty statement is the way out.
  context_.host.send(client_ == Client::sqlite && reason == Reason::continuation ? ";\r" : "\x03");
}

void ClientRunner::finish(Status status, Reason reason) {
  recorder_->finish();
  deliver(status, reason);
  context_.memory.proven = false;
  over_ = true;
}

void ClientRunner::operator_input(std::string_view keys) {
  if (keys.find('\x03') == std::string_view::npos || step_ != Step::running) return;
  status_ = Status::interrupted;
  step_ = Step::interrupting;
  step_since_ = last_byte_ = now();
}

void ClientRunner::stop() {
  if (step_ == Step::running) return interrupt(Status::interrupted, Reason::none);
  if (step_ != Step::typing) return;
  context_.host.send("\x15");
  finish(Status::interrupted, Reason::none);
}

}  // namespace remote_exec
