#include "remote_exec/line_runner.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "remote_exec/encoding.h"
#include "remote_exec/hooks.h"
#include "shell/inspect.h"

namespace remote_exec {
namespace {

constexpr std::string_view kBracketedPasteOn = "\033[?2004h";

std::optional<int> exit_code_in(std::string_view payload) {
  int code = 0;
  const auto [end, error] = std::from_chars(payload.data(), payload.data() + payload.size(), code);
  if (error != std::errc() || end != payload.data() + payload.size()) return std::nullopt;
  return code;
}

}  // namespace

void LineRunner::enter_step(Step step) {
  step_ = step;
  step_since_ = now();
}

// ---- Before typing

void LineRunner::begin() {
  const auto text = checked_text(request_.command);
  if (!text) return refuse(Status::rejected, Reason::refused, text.error().message);
  if (const auto written = in_encoding(*text, context_.options.encoding); !written)
    return refuse(Status::rejected, Reason::refused, written.error().message);
  const auto reaction = std::max(milliseconds(120), 2 * context_.memory.round_trip);
  if (context_.operator_line.entered() && since(context_.operator_line.last_key()) < reaction)
    return enter_step(Step::waiting);
  const ScreenView view = context_.host.look();
  if (prompt_in_motion(view, reaction)) return enter_step(Step::waiting);
  if (obstructed(view)) return;

  ShellMemory& memory = context_.memory;
  if (memory.proven && memory.dialect && !context_.operator_line.entered()) return with_hooks_type_command();
  memory.proven = false;
  const auto level = memory.levels.find(view.before_cursor);
  if (level != memory.levels.end()) {
    memory.dialect = level->second;
    return type_command();
  }
  const Client client = client_of(view.before_cursor);
  const bool known_client = context_.options.client || memory.clients.count(view.before_cursor) > 0;
  if (known_client || (client != Client::none && client != Client::device)) {
    wants_client_ = true;
    return;
  }
  if (!prompt_possible(view)) return refuse(Status::busy, Reason::foreground_program);
  probe_family();
}

/// Keys that a question took in are not told from text on the prompt line, and while the prompt is drawn again its line
/// is not itself; so what stands there counts once it stands still.
bool LineRunner::prompt_in_motion(const ScreenView& view, milliseconds reaction) const {
  if (!context_.operator_line.half_typed(view)) return false;
  return quiet() < reaction && since(begun_) < context_.memory.patience();
}

bool LineRunner::obstructed(const ScreenView& view) {
  if (view.alternate) {
    refuse(Status::busy, Reason::full_screen);
  } else if (context_.operator_line.half_typed(view)) {
    refuse(Status::busy, Reason::half_typed);
  } else if (context_.memory.proven && !context_.operator_line.entered()) {
    return false;  // The line is our proven prompt, whatever it reads like.
  } else {
    switch (const Asking asking = what_is_asked(view.before_cursor)) {
      case Asking::pager:
        refuse(Status::busy, Reason::pager);
        return true;
      case Asking::continuation:
        // A prompt of just ">" is somebody's whole prompt when a line editor waits behind it for the first time.
        if (!context_.operator_line.any()) return false;
        refuse(Status::busy, Reason::continuation);
        return true;
      default:
        if (!needs_person(asking)) return false;
        refuse(Status::needs_input, asking == Asking::password ? Reason::password : Reason::question);
    }
  }
  return true;
}

bool LineRunner::prompt_possible(const ScreenView& view) const {
  if (view.bracketed_paste || looks_like_prompt(view.before_cursor)) return true;
  // Without the operator having entered anything, what is there now is what the session began with.
  return !context_.operator_line.entered() && !context_.memory.prompt_known;
}

void LineRunner::refuse(Status status, Reason reason, std::string note) {
  deliver(status, reason, {}, std::move(note));
  over_ = true;
}

void LineRunner::probe_family() {
  tell(RunState::proving);
  probing_family_ = true;
  const Nonce nonce = Nonce::fresh();
  type_line({nonce, family_probe(nonce), "", true, context_.memory.prompt_bytes}, Step::probing);
}

void LineRunner::probe_variant() {
  probing_family_ = false;
  const Nonce nonce = Nonce::fresh();
  type_line({nonce, variant_probe(nonce), "", true, context_.memory.prompt_bytes}, Step::probing);
}

void LineRunner::install_hooks() {
  installing_ = Nonce::fresh();
  const Nonce proof = Nonce::fresh();
  type_line({proof, hook_line(*context_.memory.dialect, *installing_, proof), "", true, context_.memory.prompt_bytes},
            Step::probing);
}

void LineRunner::probe_answered(const std::string& payload) {
  ShellMemory& memory = context_.memory;
  if (installing_) {
    memory.dialect->hook = std::exchange(installing_, std::nullopt);
    return settle_then([this] { ending_ ? finish() : type_command(); });
  }
  if (probing_family_) {
    const auto family = family_of(payload);
    memory.dialect = Dialect{family.value_or(Shell::posix)};
    memory.dialect->can_hook = family == Shell::fish;
    if (family == Shell::posix) return settle_then([this] { probe_variant(); });
  } else {
    memory.dialect = Dialect{variant_of(payload)};
    memory.dialect->can_hook = variant_can_hook(payload);
  }
  settle_then([this] {
    Dialect& dialect = *context_.memory.dialect;
    dialect.edits_lines =
        dialect.shell == Shell::fish || context_.memory.prompt_bytes.find(kBracketedPasteOn) != std::string::npos;
    if (ending_) return finish();
    with_hooks_type_command();
  });
}

/// A run that was stopped behind the probes has left the hooks to the next one.
void LineRunner::with_hooks_type_command() {
  const Dialect& dialect = *context_.memory.dialect;
  const bool wanted = context_.options.hooks && dialect.can_hook && !dialect.hook;
  wanted ? install_hooks() : type_command();
}

void LineRunner::type_command() {
  const Dialect& dialect = *context_.memory.dialect;
  const Nonce nonce = dialect.hook ? *dialect.hook : Nonce::fresh();
  framing_ = dialect.hook ? Framing::hook : Framing::line;
  if (dialect.hook && dialect.shell == Shell::zsh) zsh_mark_.emplace();
  auto wrapped = dialect.hook ? bare_command(dialect, request_.command, request_.session_end)
                              : wrap_command(dialect, request_.command, nonce, request_.session_end);
  if (!wrapped) return refuse(Status::rejected, Reason::refused, wrapped.error().message);
  reads_terminal_ = shell::inspect(request_.command).reads_terminal;
  recorder_ = std::make_unique<Recorder>(
      context_.options.output, context_.options.encoding, Exchange::typed_mark(nonce),
      [link = link_](std::string_view text) {
        if (link->wanted && link->callbacks.on_output) link->callbacks.on_output(text);
      },
      request_.output_filter);
  tell(RunState::typing);
  type_line({nonce, std::move(wrapped->line), std::move(wrapped->shown), false, context_.memory.prompt_bytes,
             dialect.hook.has_value()},
            Step::typing);
}

// ---- One typed line

void LineRunner::type_line(Exchange::Plan plan, Step step) {
  prompt_back_ = false;
  first_byte_seen_ = false;
  echo_seen_ = 0;
  echo_progress_ = now();
  const std::string line = plan.line;
  exchange_ = std::make_unique<Exchange>(
      std::move(plan),
      Exchange::Events{[this] { on_echoed(); }, [this] { on_started(); },
                       [this](std::string_view bytes) {
                         if (step_ == Step::running) return record(bytes);
                         if (after_interrupt_) hear_last_words(bytes);
                       },
                       [this](const std::string& payload) { on_ended(payload); }, [this] { prompt_back_ = true; }});
  enter_step(step);
  type(line);
}

std::string LineRunner::on_bytes(std::string_view bytes) {
  if (!first_byte_seen_) {
    first_byte_seen_ = true;
    const auto trip = since(step_since_);
    // A moving average, so that one slow answer does not slow down everything after it.
    auto& known = context_.memory.round_trip;
    if (step_ == Step::typing || step_ == Step::probing) known = known.count() == 0 ? trip : (known * 3 + trip) / 4;
  }
  if (over_ || !exchange_) return std::string(bytes);
  std::string out = exchange_->filter(bytes);
  const ShellMemory& memory = context_.memory;
  const bool empty_prompt = memory.prompt_known && memory.prompt_bytes.empty() && exchange_->prompt().empty();
  if (step_ == Step::settling && (prompt_back_ || empty_prompt)) settled();
  return out;
}

void LineRunner::on_echoed() {
  if (step_ != Step::typing && step_ != Step::probing && step_ != Step::reproving) return;
  context_.memory.echo_off = false;
  press_enter();
}

void LineRunner::press_enter() {
  context_.host.send("\r");
  exchange_->entered();
  if (step_ == Step::typing) {
    context_.memory.proven = false;
    return enter_step(Step::entered);
  }
  step_since_ = now();
}

void LineRunner::on_started() {
  if (step_ != Step::entered) return;
  deadline_ = now() + request_.timeout;
  person_asked_ = false;  // By the bastion, which has its answer.
  enter_step(Step::running);
  if (!stopping_) tell(RunState::running);
}

void LineRunner::on_ended(const std::string& payload) {
  switch (step_) {
    case Step::probing:
      return probe_answered(payload);
    case Step::reproving:
      return settle_then([this] { finish(); });
    case Step::clearing:
    case Step::abandoned:
      return settle_then([this] { finish(); });
    case Step::interrupting:
      if (exchange_->plan().hidden) return;  // A proof that came too late: after the Ctrl-C since, another is due.
      after_interrupt_->finish(last_words_);
      keep_last_words();
      deliver(ending_->status, ending_->reason, ending_->exit_code);
      break;
    default:
      finish_recording();
      if (exchange_->start_lost()) {
        ending_.reset();  // Whatever was taken for a refusal: the end proves that it ran.
        deliver(Status::done, Reason::start_not_seen, exit_code_in(payload));
      } else if (ending_) {
        deliver(ending_->status, ending_->reason, exit_code_in(payload));
      } else {
        deliver(Status::done, Reason::none, exit_code_in(payload));
      }
  }
  settle_then([this] { finish(); });
}

void LineRunner::record(std::string_view bytes) {
  printed_ = true;
  if (question_told_ && !question_left_ && bytes.find('\n') != std::string_view::npos) question_left_ = now();
  if (!zsh_mark_) return recorder_->add(bytes);
  recorder_->add(zsh_mark_->feed(bytes));
}

void LineRunner::finish_recording() {
  if (!recorder_) return;
  if (zsh_mark_) recorder_->add(zsh_mark_->finish());
  recorder_->finish();
}

void LineRunner::settle_then(std::function<void()> next) {
  after_settling_ = std::move(next);
  enter_step(Step::settling);
}

void LineRunner::settled() {
  const std::string unseen = exchange_->unseen_prompt();
  std::string line = read_text(exchange_->prompt()).last_line;
  if (!unseen.empty()) {
    // The same prompt stands on the screen already, unless something changed it meanwhile.
    const std::string shown = context_.host.look().before_cursor;
    if (!shown.ends_with(line)) context_.host.show("\r\n" + unseen);
  }
  context_.memory.learn(exchange_->prompt(), std::move(line));
  context_.operator_line.reset(context_.memory.prompt_line);
  held_ += exchange_->give_up_marks();
  exchange_.reset();
  auto next = std::move(after_settling_);
  next();
}

std::string LineRunner::take_held() {
  if (over_ && exchange_) held_ += exchange_->give_up_marks();
  return std::exchange(held_, {});
}

void LineRunner::finish() {
  if (ending_) deliver(ending_->status, ending_->reason, ending_->exit_code);
  over_ = true;
}

}  // namespace remote_exec
