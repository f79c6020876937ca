// The part of Session that serves the operator's keys: to the remote, or to the panel while it has the keyboard.
#include <algorithm>
#include <utility>

#include "app/session/session.h"
#include "base/base64.h"
#include "terminal/key_decoder.h"

namespace app {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// A remote that does not read: stop taking keys, so that a huge paste stays in the operator's terminal.
constexpr std::size_t kInputHigh = 1024 * 1024;
constexpr milliseconds kHeldLook{20};     // how often the line is looked at while keys wait for it
constexpr milliseconds kHeldTime{3000};   // the longest they wait
constexpr milliseconds kPasteTime{2000};  // of silence inside a paste

}  // namespace

void Session::on_input(std::string_view bytes) {
  if (start_.position()) return input_to_whoever_has_the_keyboard(bytes);
  const std::string ours_removed = start_.filter(bytes);
  if (const auto& light = start_.light_background()) host_.panel().set_light_background(*light);
  if (start_.position()) on_start_position();
  if (start_.holding()) wait_for_rest_of_key();
  input_to_whoever_has_the_keyboard(ours_removed);
}

void Session::input_to_whoever_has_the_keyboard(std::string_view bytes) {
  host_.is_open() ? input_while_open(bytes) : input_while_closed(bytes);
}

void Session::input_while_closed(std::string_view bytes) {
  if (connection_ && connection_->wants_input()) bytes = connection_->take_input(bytes);
  for (const auto& event : hotkey_filter_.feed(bytes)) {
    if (event.kind == terminal::HotkeyFilter::Event::Kind::hotkey)
      on_hotkey(event.bytes);
    else if (host_.is_open())
      input_while_open(event.bytes);
    else {
      double_press_.forget();
      send_to_remote(event.bytes);
    }
  }
  if (hotkey_filter_.pending()) wait_for_rest_of_key();
  // A paste whose end never comes must not disable the hotkey for good.
  if (hotkey_filter_.in_paste()) paste_timer_.start(kPasteTime, [this] { hotkey_filter_.leave_paste(); });
}

void Session::input_while_open(std::string_view bytes) {
  const std::string_view rest = host_.input(bytes);
  if (!rest.empty()) return input_while_closed(rest);
  if (host_.is_open() && host_.key_pending()) wait_for_rest_of_key();
}

void Session::wait_for_rest_of_key() {
  key_timer_.start(terminal::kKeyTime, [this] { on_escape_time(); });
}

void Session::on_escape_time() {
  if (const std::string early = start_.flush(); !early.empty()) input_to_whoever_has_the_keyboard(early);
  if (!host_.is_open()) return send_to_remote(hotkey_filter_.flush());
  host_.flush_keys();
}

void Session::send_to_remote(std::string_view bytes) {
  if (bytes.empty() || !connection_ || end_) return;
  if (shell_.idle()) operator_may_type_ = true;
  if (!operator_may_type_ || !held_keys_.empty()) return hold_keys(bytes);
  deliver_keys(bytes);
}

void Session::deliver_keys(std::string_view bytes) {
  shell_.on_operator_input(bytes);
  connection_->send(bytes);
  if (connection_->unsent() > kInputHigh) tty_.hold_input(true);
}

/// The assistant is typing a line or proving the prompt, which takes a moment: keys wait for it, they do not mix with
/// it.
void Session::hold_keys(std::string_view bytes) {
  if (held_keys_.empty()) held_since_ = Clock::now();
  held_keys_ += bytes;
  if (held_timer_.active()) return;
  held_timer_.repeat(kHeldLook, [this] {
    const bool free = shell_.idle() || operator_may_type_ || Clock::now() - held_since_ > kHeldTime;
    if (!free) return;
    held_timer_.stop();
    if (connection_) deliver_keys(std::exchange(held_keys_, {}));
  });
}

void Session::on_panel_action(const panel::PanelAction& action) {
  double_press_.forget();
  if (action.kind == panel::PanelAction::Kind::insert) return insert(action.text);
  if (action.kind == panel::PanelAction::Kind::copy) return copy(action.text);
  assistant_.on_action(action);
}

/// Types a command at the prompt and leaves Enter to the operator. Not into a full-screen program, and not while a
/// command of the assistant has the line.
void Session::insert(const std::string& line) {
  bring_shadow_up_to_date();
  const bool possible = shell_.idle() && !screen_.alternate() && connection_ && connection_->running();
  if (possible) send_to_remote(line);
  host_.panel().add(panel::Speaker::notice, possible ? panel::say(panel::Message::inserted, {line})
                                                     : panel::say(panel::Message::insert_not_now));
}

void Session::copy(const std::string& text) {
  tty_.write("\x1b]52;c;" + base::base64_encode(text) + "\a");
  host_.panel().add(panel::Speaker::notice, panel::say(panel::Message::copied, {panel::human_size(text.size())}));
}

void Session::on_hotkey(std::string_view bytes) {
  const auto outcome = double_press_.press(Clock::now(), bytes);
  handed_over_ = false;
  if (host_.is_open())
    host_.close();
  else if (!host_.cancel_waiting())
    open_panel();
  if (outcome == terminal::DoublePress::Outcome::send_through) send_to_remote(double_press_.bytes());
}

}  // namespace app
