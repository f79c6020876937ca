#include "app/target/pick_target.h"

#include <signal.h>
#include <unistd.h>

#include <utility>

#include "app/session/operator_tty.h"
#include "event/event_loop.h"
#include "event/signal_watch.h"
#include "event/timer.h"
#include "panel/messages.h"
#include "terminal/capabilities.h"
#include "terminal/display.h"
#include "terminal/key_decoder.h"
#include "terminal/outer_terminal.h"

namespace app {
namespace {

using panel::TargetPicker;

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?2004h\x1b[H\x1b[2J";
constexpr std::string_view kLeave = "\x1b[?2004l\x1b[m\x1b[?25h\x1b[?1049l";

/// Shows the picker on the operator's terminal until something is chosen.
class PickerHost {
 public:
  PickerHost(event::EventLoop& loop, terminal::OuterTerminal& outer, const terminal::Capabilities& capabilities,
             TargetPicker picker)
      : loop_(loop),
        outer_(outer),
        display_(capabilities),
        picker_(std::move(picker)),
        tty_(loop, outer.fd(),
             {.on_input = [this](std::string_view bytes) { on_input(bytes); },
              .on_drained =
                  [this] {
                    if (over_) loop_.stop();
                  },
              .on_gone = [this] { end_by(SIGHUP); }}),
        key_timer_(loop),
        winch_(loop, SIGWINCH,
               [this] {
                 display_.invalidate();
                 paint();
               }),
        term_(loop, SIGTERM, [this] { end_by(SIGTERM); }),
        hup_(loop, SIGHUP, [this] { end_by(SIGHUP); }),
        int_(loop, SIGINT, [this] { end_by(SIGINT); }) {}

  /// The signal that ended it, or 0.
  int run() {
    terminal::OuterTerminal::set_exit_sequence(kLeave);
    tty_.write(kEnter);
    paint();
    loop_.run();
    terminal::OuterTerminal::set_exit_sequence("");
    return signal_;
  }
  bool chosen() const { return chosen_; }
  const TargetPicker& picker() const { return picker_; }

 private:
  void on_input(std::string_view bytes) {
    key_timer_.stop();
    for (const auto& key : keys_.feed(bytes)) on_key(key);
    if (keys_.pending())
      key_timer_.start(terminal::kKeyTime, [this] {
        for (const auto& key : keys_.flush()) on_key(key);
        paint();
      });
    paint();
  }

  void on_key(const terminal::Key& key) {
    if (over_) return;
    const auto outcome = picker_.handle_key(key);
    if (outcome == TargetPicker::Outcome::repaint) display_.invalidate();
    if (outcome != TargetPicker::Outcome::chosen && outcome != TargetPicker::Outcome::left) return;
    chosen_ = outcome == TargetPicker::Outcome::chosen;
    end();
  }

  void paint() {
    if (over_) return;
    terminal::Frame frame(outer_.size());
    picker_.draw(frame);
    tty_.write(display_.render(frame));
  }

  void end() {
    over_ = true;
    tty_.write(kLeave);
    if (tty_.unwritten() == 0) loop_.stop();
  }

  void end_by(int signal_number) {
    signal_ = signal_number;
    over_ = true;
    tty_.write(kLeave);
    loop_.stop();
  }

  event::EventLoop& loop_;
  terminal::OuterTerminal& outer_;
  terminal::Display display_;
  TargetPicker picker_;
  terminal::KeyDecoder keys_;
  bool over_ = false;
  bool chosen_ = false;
  int signal_ = 0;
  OperatorTty tty_;
  event::Timer key_timer_;
  event::SignalWatch winch_, term_, hup_, int_;
};

/// The choice, completed by what the command line said.
TargetOptions completed(TargetOptions choice, const TargetOptions& given) {
  TargetOptions result = given;
  result.target = choice.target;
  if (result.jump.empty()) result.jump = choice.jump;
  if (result.user.empty()) result.user = choice.user;
  if (result.profile.empty()) result.profile = choice.profile;
  if (result.port == 0) result.port = choice.port;
  if (result.ssh_config.empty()) result.ssh_config = choice.ssh_config;
  if (result.identities.empty()) result.identities = choice.identities;
  if (result.via.empty()) result.via = choice.via;
  if (result.protocol.empty()) result.protocol = choice.protocol;
  return result;
}

}  // namespace

base::Result<PickedTarget> pick_target(const std::vector<std::unique_ptr<TargetSource>>& sources,
                                       const TargetOptions& given, const std::string& guidance,
                                       panel::ThemeName theme) {
  const auto capabilities = terminal::Capabilities::of_environment();
  if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO) || !capabilities.can_draw)
    return base::fail(panel::say(panel::Message::picker_no_tty));
  std::vector<TargetOptions> choices;
  std::vector<panel::PickerGroup> groups;
  for (const auto& source : sources) {
    panel::PickerGroup group{source->title(), {}};
    for (auto& offer : source->offers()) {
      offer.shown.id = choices.size();
      choices.push_back(std::move(offer.options));
      group.entries.push_back(std::move(offer.shown));
    }
    if (!group.entries.empty()) groups.push_back(std::move(group));
  }
  auto outer = terminal::OuterTerminal::open();
  if (!outer) return base::fail(outer.error());
  if (auto raw = outer->enter_raw(); !raw) return base::fail(raw.error());
  const bool color = !capabilities.no_color && capabilities.colors != terminal::ColorDepth::mono;
  PickedTarget picked;
  {
    event::EventLoop loop;
    PickerHost host(loop, *outer, capabilities,
                    {std::move(groups), {.color = color, .unicode = capabilities.utf8, .name = theme}, guidance});
    std::vector<std::shared_ptr<void>> news;
    for (const auto& source : sources) news.push_back(source->refresh(loop));
    picked.signal = host.run();
    if (host.chosen()) {
      TargetOptions choice;
      if (host.picker().typed())
        choice.target = host.picker().selected().target;
      else
        choice = choices[host.picker().selected().id];
      picked.target = completed(std::move(choice), given);
    }
  }
  outer->leave();
  return picked;
}

}  // namespace app
