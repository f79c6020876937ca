#include "remote_exec/exec_session.h"

#include "remote_exec/lane.h"
#include "transport/hang_up.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;

// A prompt is taken for one after this much silence behind it; anything else that is silent, after the longer time.
constexpr milliseconds kQuietPrompt{80};
constexpr milliseconds kQuietAnything{1500};
// A bastion counts no longer than five minutes while it connects to a host.
constexpr std::chrono::minutes kLongestOpening{6};

}  // namespace

ExecSession::ExecSession(event::EventLoop& loop, std::unique_ptr<transport::Transport> transport, Settings settings)
    : loop_(loop),
      settings_(std::move(settings)),
      screen_({.size = settings_.size}),
      transport_(std::move(transport)),
      shell_(loop, settings_.options,
             Host{[this](std::string_view bytes) { transport_->send(bytes); },
                  [this](std::string_view bytes) { show(bytes); }, [this] { return look_at(screen_); }}),
      waiting_(loop) {}

ExecSession::~ExecSession() = default;

void ExecSession::start() {
  // What asks the terminal gets an answer, as it would from a real one.
  screen_.on_reply([this](std::string_view reply) { transport_->send(reply); });
  transport_->start({[this](std::string_view bytes) { on_bytes(bytes); },
                     [this](transport::Closed closed) { on_closed(std::move(closed)); },
                     {}});
}

void ExecSession::connected() {
  if (!opened_) opened_ = clock_.now();
}

void ExecSession::on_bytes(std::string_view bytes) {
  if (abandoned_) return;
  clock_.look();
  last_byte_ = clock_.now();
  if (!std::exchange(any_bytes_, true)) first_byte_ = last_byte_;
  if (!settings_.announced) connected();
  words_.feed(bytes);
  if (shell_.idle()) {
    show(bytes);
  } else {
    show(shell_.filter(bytes));
  }
}

/// Why a session that ended in order ended, where only what was said there tells: nobody has read it.
std::string ExecSession::last_words() const {
  namespace js = transport::jumpserver;
  const std::string parting = words_.parting_words();
  if (std::string told = js::explain_end(js::koko_end(parting), parting); !told.empty()) return told;
  const std::string words = words_.last_words();
  if (ready_ || words.empty()) return {};
  if (js::koko_end(words) == js::KokoEnd::failed) return js::explain_failed_opening(words);
  return "the session ended before a prompt was there: " + words;
}

void ExecSession::on_closed(transport::Closed closed) {
  closed_ = std::move(closed);
  if (abandoned_) return;
  if (closed_->reason.empty()) closed_->reason = last_words();
  waiting_.stop();
  shell_.on_disconnected(closed_->reason);
  run_when_ready();
  if (settings_.on_closed) settings_.on_closed(*closed_);
}

bool ExecSession::prompt_reached() const {
  const auto now = clock_.now();
  if (!opened_) return any_bytes_ && (question_stands() || now - first_byte_ >= kLongestOpening);
  if (now - *opened_ >= opening_limit()) return true;
  if (!any_bytes_) return false;
  const auto quiet = now - last_byte_;
  const ScreenView view = look_at(screen_);
  if (view.bracketed_paste || looks_like_prompt(view.before_cursor)) return quiet >= kQuietPrompt;
  // A bastion's counter or banner, however long it stands there, is not what commands are typed at.
  return quiet >= kQuietAnything && !words_.opening();
}

/// Before the host is reached: something is asked that nobody answers here.
bool ExecSession::question_stands() const {
  return clock_.now() - last_byte_ >= kQuietAnything && needs_person(what_is_asked(look_at(screen_).before_cursor));
}

/// While a bastion counts the seconds of its connecting to the host, the shell has not had its time yet.
WatchedClock::duration ExecSession::opening_limit() const {
  return words_.counting() ? WatchedClock::duration(kLongestOpening) : settings_.prompt_limit;
}

void ExecSession::run(ExecRequest request, RunCallbacks callbacks) {
  first_.emplace(std::move(request), std::move(callbacks));
  if (ready_ || closed_) return run_when_ready();
  clock_.start();
  waiting_.repeat(milliseconds(10), [this] {
    clock_.look();
    if (!prompt_reached()) return;
    waiting_.stop();
    ready_ = true;
    run_when_ready();
  });
}

void ExecSession::run_when_ready() {
  if (!first_) return;
  auto [request, callbacks] = std::move(*first_);
  first_.reset();
  run_ = shell_.run(std::move(request), std::move(callbacks));
}

void ExecSession::stop() {
  if (!first_) {
    if (run_) run_->stop();
    return;
  }
  // Still on the way to the first prompt: nothing was typed, so there is nothing to wait for.
  waiting_.start(milliseconds(0), [this] {
    const auto [request, callbacks] = std::move(*first_);
    first_.reset();
    CommandResult result;
    result.command = request.command;
    result.status = Status::interrupted;
    result.note_for_model = result.note_for_operator = kNeverTyped;
    if (callbacks.on_done) callbacks.on_done(std::move(result));
  });
}

void ExecSession::abandon() {
  abandoned_ = true;
  waiting_.stop();
  first_.reset();
  shell_.abandon();
  run_.reset();
}

void ExecSession::hang_up() {
  abandon();
  if (!closed_) transport::hang_up(loop_, *transport_, [this] { return closed_.has_value(); });
}

void ExecSession::type(std::string_view keys) {
  shell_.on_operator_input(keys);
  transport_->send(keys);
}

void ExecSession::resize(base::Size size) {
  screen_.resize(size);
  transport_->resize(size);
}

}  // namespace remote_exec
