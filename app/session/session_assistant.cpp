// The part of Session that the assistant touches: its commands, and the badge that tells of it while the panel is
// closed.
#include <utility>

#include "app/session/session.h"
#include "panel/messages.h"

namespace app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBadgeQuiet{400};  // of silence before the badge is shown

/// One command of the assistant; destroying it interrupts the command.
class CommandRun final : public agent::Tool::Run {
 public:
  /// `stopped`: the run is cancelled; the prompt is proved again behind it.
  CommandRun(std::unique_ptr<remote_exec::Run> run, std::function<void()> stopped)
      : run_(std::move(run)), stopped_(std::move(stopped)) {}
  ~CommandRun() override { stopped_(); }

 private:
  std::unique_ptr<remote_exec::Run> run_;
  std::function<void()> stopped_;
};

}  // namespace

std::unique_ptr<agent::Tool::Run> Session::run_command(remote_exec::ExecRequest request,
                                                       std::function<void(remote_exec::CommandResult)> done) {
  remote_exec::RunCallbacks callbacks;
  callbacks.on_state = [this](remote_exec::RunState state, remote_exec::Asking) { on_run_state(state); };
  callbacks.on_done = [this, done = std::move(done)](remote_exec::CommandResult result) {
    take_back();
    done(std::move(result));
  };
  operator_may_type_ = false;
  return std::make_unique<CommandRun>(shell_.run(std::move(request), std::move(callbacks)),
                                      [this] { operator_may_type_ = false; });
}

/// A command that asks for a password or a yes is the operator's, and so is the bastion's question whether to ask its
/// reviewers: the panel steps aside and comes back by itself.
void Session::on_run_state(remote_exec::RunState state) {
  operator_may_type_ = state != remote_exec::RunState::proving && state != remote_exec::RunState::typing &&
                       state != remote_exec::RunState::interrupting;
  assistant_.on_run_state(state);
  const bool asks = state == remote_exec::RunState::needs_input || state == remote_exec::RunState::waiting_review;
  if (asks && host_.is_open()) {
    host_.close_now();
    handed_over_ = true;
  } else if (!asks) {
    take_back();
  }
}

/// The panel that stepped aside comes back, unless the operator has seen to it meanwhile.
void Session::take_back() {
  if (std::exchange(handed_over_, false) && !host_.is_open() && !end_) open_panel();
}

/// While the panel is closed and the assistant has something to tell, a few words stand in the corner; only when the
/// line has been quiet for a moment.
void Session::update_badge() {
  const auto text = badge_text();
  if (badge_.shown() && text != shown_badge_) tty_.write(badge_.hide());
  if (text.empty() || badge_.shown()) return badge_timer_.stop();
  if (badge_timer_.active()) return;
  badge_timer_.start(kBadgeQuiet, [this] {
    if (host_.is_open() || tty_.unwritten() > 0) return;
    bring_shadow_up_to_date();
    shown_badge_ = badge_text();
    terminal::Style style;
    style.attributes = terminal::kReverse;
    if (!shown_badge_.empty()) tty_.write(badge_.show(" " + shown_badge_ + " ", style));
  });
}

/// The panel covers the screen and gives it back as it was: without the badge.
void Session::open_panel() {
  if (badge_.shown()) tty_.write(badge_.hide());
  host_.open();
}

std::string Session::badge_text() const {
  if (host_.is_open() || options_.plain || end_) return {};
  switch (assistant_.state()) {
    case LiveAssistant::State::running:
      return panel::say(panel::Message::badge_running);
    case LiveAssistant::State::waiting:
      return panel::say(panel::Message::badge_waits);
    case LiveAssistant::State::resting:
      break;
  }
  return answer_unseen_ ? panel::say(panel::Message::badge_done) : std::string();
}

}  // namespace app
