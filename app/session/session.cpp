#include "app/session/session.h"

#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/environment.h"
#include "panel/messages.h"

namespace app {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// Enough to keep a fast terminal busy, little enough that a slow one shows Ctrl-C's effect at once.
constexpr std::size_t kOutputHigh = 128 * 1024;
// A remote that asks and never reads gets no more answers.
constexpr std::size_t kReplyHigh = 16 * 1024;
// More than this between two looks is a flood: nobody reads it, the model can wait.
constexpr std::uint64_t kFloodBytes = 64 * 1024;

constexpr milliseconds kModelDelay{8};
constexpr milliseconds kStartTime{400};    // for the terminal to say where its cursor is
constexpr milliseconds kFinishTime{2000};  // without progress at the end

bool shows_color(const terminal::Capabilities& capabilities) {
  return !capabilities.no_color && capabilities.colors != terminal::ColorDepth::mono;
}

std::string model_title(const ModelSetup& setup) {
  std::string title(name_of(setup.provider));
  if (!setup.settings.model.empty()) title += " " + setup.settings.model;
  return title;
}

/// What some terminals tell in the environment: "15;0" is light on dark.
bool environment_says_light() {
  const std::string text = base::environment("COLORFGBG");
  return text.ends_with(";15") || text.ends_with(";7");
}

panel::Panel::Options panel_options(const Session::Options& options, const terminal::Capabilities& capabilities) {
  return {.target = options.target,
          .hotkey = options.hotkey,
          .theme = {.color = shows_color(capabilities),
                    .unicode = capabilities.utf8,
                    .name = options.theme,
                    .light_background = environment_says_light()},
          .has_assistant = true,
          .model = model_title(options.model)};
}

/// The one line that says jms is here, written as if the remote had printed it so that the shadow counts it too.
std::string hint_line(const terminal::Hotkey& hotkey, const terminal::Capabilities& capabilities) {
  const std::string text = "jms: " + hotkey.name() + " opens the panel; twice sends the key to the session";
  return shows_color(capabilities) ? "\x1b[2m" + text + "\x1b[m\r\n" : text + "\r\n";
}

}  // namespace

Session::Session(event::EventLoop& loop, terminal::OuterTerminal& outer, const terminal::Capabilities& capabilities,
                 const Options& options)
    : loop_(loop),
      outer_(outer),
      capabilities_(capabilities),
      options_(options),
      size_(outer.size()),
      screen_({.size = size_, .scrollback_lines = options.scrollback_lines}),
      backlog_(screen_),
      host_(loop, screen_, capabilities, panel_options(options, capabilities), host_surroundings(),
            options.plain ? PanelHost::Look::lines : PanelHost::Look::drawn),
      shell_(loop, options.exec,
             {.send =
                  [this](std::string_view bytes) {
                    if (connection_) connection_->send(bytes);
                  },
              .show = [this](std::string_view bytes) { show(bytes); },
              .look =
                  [this] {
                    bring_shadow_up_to_date();
                    return remote_exec::look_at(screen_);
                  }}),
      assistant_(loop,
                 {.target = options.target,
                  .settings = options.assistant,
                  .model = options.model,
                  .outputs = options.outputs,
                  .state = options.state,
                  .config_path = options.config_path},
                 {.run =
                      [this](remote_exec::ExecRequest request, std::function<void(remote_exec::CommandResult)> done) {
                        return run_command(std::move(request), std::move(done));
                      },
                  .screen = [this]() -> const terminal::Screen& {
                    bring_shadow_up_to_date();
                    return screen_;
                  },
                  .shell = [this] { return shell_fact(shell_.memory()); },
                  .selection = [this] { return host_.selection().empty() ? "" : host_.selection().text(); }},
                 host_.panel(),
                 {.changed =
                      [this] {
                        host_.schedule_paint();
                        update_badge();
                      },
                  .needs_operator =
                      [this] {
                        if (!host_.is_open()) tty_.write("\a");
                      },
                  .on_end =
                      [this] {
                        answer_unseen_ = !host_.is_open();
                        update_badge();
                      },
                  .quit = [this] { quit(); }}),
      escapes_(options.escapes),
      badge_(screen_, capabilities),
      hotkey_filter_(options.hotkey),
      double_press_(options.hotkey),
      tty_(loop, outer.fd(),
           {.on_input = [this](std::string_view bytes) { on_input(bytes); },
            .on_drained =
                [this] {
                  brake_remote();
                  host_.on_drained();
                  if (end_) finish_when_written();
                },
            .on_gone = [this] { die_by(SIGHUP); }}),
      model_timer_(loop),
      key_timer_(loop),
      paste_timer_(loop),
      held_timer_(loop),
      badge_timer_(loop),
      start_timer_(loop),
      finish_timer_(loop),
      winch_(loop, SIGWINCH, [this] { on_resized(); }),
      term_(loop, SIGTERM, [this] { die_by(SIGTERM); }),
      hup_(loop, SIGHUP, [this] { die_by(SIGHUP); }),
      int_(loop, SIGINT, [this] { die_by(SIGINT); }),
      quit_(loop, SIGQUIT, [this] { die_by(SIGQUIT); }),
      tstp_(loop, SIGTSTP, [this] { on_suspend(); }),
      cont_(loop, SIGCONT, [this] { on_continue(); }) {
  terminal::OuterTerminal::insist_on_ending();
}

PanelHost::Surroundings Session::host_surroundings() {
  return {.write = [this](std::string_view bytes) { tty_.write(bytes); },
          .show = [this](std::string_view bytes) { show(bytes); },
          .terminal_busy = [this] { return tty_.unwritten() > 0; },
          .update_shadow = [this] { bring_shadow_up_to_date(); },
          .send = [this](std::string_view bytes) { send_to_remote(bytes); },
          .reply =
              [this](std::string_view reply) {
                if (connection_ && connection_->unsent() < kReplyHigh) send_to_remote(reply);
              },
          .on_hotkey = [this] { on_hotkey({}); },
          .resize_remote = [this](base::Size size) { resize_remote(size); },
          .on_switched =
              [this] {
                if (host_.is_open()) badge_.forget();
                answer_unseen_ = false;
                update_exit_sequence();
                brake_remote();
                update_badge();
              },
          .on_action = [this](const panel::PanelAction& action) { on_panel_action(action); }};
}

Session::End Session::run(Connection::Factory factory) {
  find_start_position();
  if (options_.hint) show(hint_line(options_.hotkey, capabilities_));
  connection_.emplace(
      loop_, std::move(factory),
      Connection::Events{.on_bytes = [this](std::string_view bytes) { on_remote_bytes(bytes); },
                         .on_drained = [this] { tty_.hold_input(false); },
                         .show = [this](std::string_view text) { show(text); },
                         .on_ready = [this] { shell_.on_connected(); },
                         .on_lost = [this](const std::string& why) { on_connection_lost(why); },
                         .on_notice = [this](const transport::SessionNotice& notice) { on_notice(notice); },
                         .on_end = [this](const transport::Closed& closed) { on_connection_over(closed); },
                         .on_abort = [this] { finish({.exit_code = 128 + SIGINT}); }});
  // However this ends, also with an exception, the other side gets its goodbye while all of us is still there.
  const std::unique_ptr<Session, void (*)(Session*)> goodbye(this, [](Session* session) { session->say_goodbye(); });
  if (auto opened = connection_->open(size_); !opened) end_ = End{.exit_code = 1, .reason = opened.error().message};
  if (!end_ || start_timer_.active()) loop_.run();
  return end_.value_or(End{});
}

/// The remote sees an orderly end, which takes a moment; then the terminal is given back. What may take longer, as the
/// last record on a slow disk, comes after that.
void Session::say_goodbye() {
  connection_->hang_up();
  outer_.leave();
  connection_.reset();
}

void Session::find_start_position() {
  if (!capabilities_.can_draw) return learn_start_position();
  tty_.write(StartPosition::kQuery);
  start_timer_.start(kStartTime, [this] { on_start_position(); });
}

/// The terminal said where we began, or had its time.
void Session::on_start_position() {
  start_timer_.stop();
  learn_start_position();
  if (end_) finish_when_written();
}

/// From here on the shadow is fed.
void Session::learn_start_position() {
  if (start_known_) return;
  start_known_ = true;
  if (const auto& start = start_.position())
    screen_.write("\x1b[" + std::to_string(start->row + 1) + ";" + std::to_string(start->col + 1) + "H");
  model_when_quiet();
}

// ---- from the remote ----

void Session::on_remote_bytes(std::string_view bytes) {
  if (shell_.idle()) return show(bytes);
  show(shell_.filter(bytes));
}

/// What the operator gets to see, be it the remote's or our own words.
void Session::show(std::string_view bytes) {
  bytes = escapes_.pass(bytes, escape_scratch_);
  arrived_ += bytes.size();
  if (options_.recorder) options_.recorder->output(bytes, Clock::now());
  if (host_.covers_screen()) {
    host_.record(bytes);
    backlog_.append(bytes);
    host_.schedule_paint();
  } else {
    // Forward first, model second: nothing may stand between the remote and the operator's eyes.
    if (badge_.shown()) tty_.write(badge_.hide());
    tty_.write(bytes);
    backlog_.append(bytes);
    model_when_quiet();
    brake_remote();
    badge_timer_.stop();  // It waits for silence.
    update_badge();
  }
  host_.after_output();
}

void Session::model_when_quiet() {
  if (!start_known_ || model_timer_.active()) return;
  model_timer_.start(kModelDelay, [this] {
    const bool flood = arrived_ - std::exchange(arrived_then_, arrived_) > kFloodBytes;
    if (flood) return model_when_quiet();
    bring_shadow_up_to_date();
  });
}

void Session::bring_shadow_up_to_date() {
  if (!start_known_) learn_start_position();
  backlog_.catch_up_fully();
  keep_recording();
  update_exit_sequence();
}

/// What was shown goes to the recording's file; the operator hears when that ends early.
void Session::keep_recording() {
  if (!options_.recorder) return;
  options_.recorder->flush();
  if (const auto why = options_.recorder->take_failure()) show("\r\njms: " + *why + "\r\n");
}

void Session::brake_remote() {
  if (!connection_) return;
  const bool brake = !host_.covers_screen() && tty_.unwritten() > (remote_braked_ ? 0 : kOutputHigh);
  if (brake == remote_braked_) return;
  remote_braked_ = brake;
  connection_->pause_reading(brake);
}

/// The remote is gone in the middle of whatever it had on the screen: bring the terminal back to where lines can be
/// read.
void Session::on_connection_lost(const std::string& why) {
  if (host_.is_open()) host_.close_now();
  handed_over_ = false;  // The offer to reconnect wants the keyboard.
  shell_.on_disconnected(why);
  bring_shadow_up_to_date();
  show(host_.exit_sequence());
}

/// The line itself stands on the remote's screen already; with the panel over it nobody would read it there.
void Session::on_notice(const transport::SessionNotice& notice) {
  shell_.on_notice(notice);
  if (host_.covers_screen()) host_.panel().add(panel::Speaker::notice, notice.text);
}

void Session::on_connection_over(const transport::Closed& closed) {
  shell_.on_disconnected(closed.reason);
  if (host_.is_open()) host_.close_now();
  // A session that ended as it should over a link that carries no code (koko's WebSocket) is no failure.
  const bool lost = closed.kind == transport::Closed::Kind::lost;
  End end{.exit_code = closed.exit_code.value_or(lost ? 1 : 0)};
  if (lost) end.reason = closed.reason;
  finish(end);
}

// ---- size, signals, the end ----

void Session::on_resized() {
  const base::Size size = outer_.size();
  if (size == size_) return;
  bring_shadow_up_to_date();
  size_ = size;
  host_.resized(size);
  resize_remote(host_.remote_size());
  badge_.forget();  // The terminal has moved its rows; what is left of it scrolls away.
}

void Session::resize_remote(base::Size size) {
  bring_shadow_up_to_date();
  screen_.resize(size);
  if (connection_) connection_->resize(size);
  if (options_.recorder) options_.recorder->resized(size, Clock::now());
}

void Session::on_suspend() {
  if (badge_.shown()) tty_.write(badge_.hide());
  bring_shadow_up_to_date();
  outer_.leave();
  ::raise(SIGSTOP);
}

void Session::on_continue() {
  // Whoever had the terminal in between left it in line mode, with things of its own on the screen.
  outer_.raw_again();
  on_resized();
  bring_shadow_up_to_date();
  tty_.write(host_.reclaim());
  host_.schedule_paint();
}

void Session::die_by(int signal_number) {
  bring_shadow_up_to_date();  // So that what the remote switched on last is switched off too.
  end_ = End{.exit_code = 128 + signal_number, .signal = signal_number};
  loop_.stop();
}

/// The operator ends it: the terminal is given back as it was, the remote sees a hang-up.
void Session::quit() {
  if (host_.is_open()) host_.close_now();
  if (connection_) connection_->close();
  finish({});
}

void Session::finish(End end) {
  if (badge_.shown()) tty_.write(badge_.hide());
  end_ = std::move(end);
  finish_when_written();
}

void Session::finish_when_written() {
  // An answer that comes when we are gone is echoed, and typed to whoever reads next: on_start_position() calls again.
  if (start_timer_.active()) return;
  if (tty_.unwritten() == 0) {
    bring_shadow_up_to_date();
    return loop_.stop();
  }
  // A terminal that takes nothing (Ctrl-S, a dead link) must not keep us for ever.
  finish_timer_.start(kFinishTime, [this] { loop_.stop(); });
}

void Session::update_exit_sequence() {
  if (!host_.covers_screen() && exit_modes_ == screen_.modes()) return;
  exit_modes_ = host_.covers_screen() ? terminal::Modes{} : screen_.modes();
  terminal::OuterTerminal::set_exit_sequence(host_.exit_sequence());
}

}  // namespace app
