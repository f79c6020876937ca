#include "app/session/panel_host.h"

#include <algorithm>
#include <utility>

namespace app {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kFrameTime{16};
constexpr milliseconds kStreamFrameTime{33};  // While an answer streams in: fewer frames are fewer bytes.
constexpr milliseconds kKeyFrameTime{4};      // What the operator typed shows at once, whatever else is going on.
constexpr milliseconds kBoundaryTime{150};    // for the remote to end the sequence it is in
constexpr milliseconds kSpinTime{120};
constexpr std::string_view kPlainPrompt = "jms> ";  // Panel::prompt_line() when nothing is asked.

/// The keys whose bytes depend on a mode of the remote's that is off while the panel is open.
std::string cursor_key(terminal::KeyKind kind) {
  switch (kind) {
    case terminal::KeyKind::up:
      return "\x1bOA";
    case terminal::KeyKind::down:
      return "\x1bOB";
    case terminal::KeyKind::right:
      return "\x1bOC";
    case terminal::KeyKind::left:
      return "\x1bOD";
    case terminal::KeyKind::home:
      return "\x1bOH";
    case terminal::KeyKind::end:
      return "\x1bOF";
    default:
      return {};
  }
}

}  // namespace

PanelHost::PanelHost(event::EventLoop& loop, terminal::Screen& screen, const terminal::Capabilities& capabilities,
                     panel::Panel::Options options, Surroundings surroundings, Look look)
    : screen_(screen),
      hotkey_(options.hotkey),
      surroundings_(std::move(surroundings)),
      look_(capabilities.can_draw ? look : Look::lines),
      size_(screen.size()),
      overlay_(screen, capabilities),
      panel_(std::move(options)),
      paint_timer_(loop),
      spin_timer_(loop),
      boundary_timer_(loop) {}

void PanelHost::open() {
  if (look_ == Look::lines) return open_lines();
  surroundings_.update_shadow();
  do_between_sequences([this] {
    surroundings_.update_shadow();
    viewport_.reset();
    panel_.set_terminal_size(size_);
    surroundings_.write(overlay_.open());
    fit_remote();
    screen_.on_reply(surroundings_.reply);
    surroundings_.on_switched();
    paint();
  });
}

void PanelHost::close() {
  if (look_ == Look::lines) return close_lines();
  surroundings_.update_shadow();
  do_between_sequences([this] { close_now(); });
}

void PanelHost::close_now() {
  if (look_ == Look::lines) return close_lines();
  surroundings_.update_shadow();
  paint_timer_.stop();
  spin_timer_.stop();
  paint_wanted_ = false;
  give_keyboard(false);
  screen_.on_reply(nullptr);
  if (screen_.size() != size_) {
    surroundings_.resize_remote(size_);
    overlay_.resized();
  }
  surroundings_.write(overlay_.close());
  surroundings_.on_switched();
}

/// Runs `action` now, or as soon as the remote's half-way sequence ends; one that never ends is not waited for long.
void PanelHost::do_between_sequences(std::function<void()> action) {
  if (screen_.between_sequences()) {
    at_boundary_ = nullptr;
    return action();
  }
  at_boundary_ = std::move(action);
  boundary_timer_.start(kBoundaryTime, [this] {
    if (auto waiting = std::exchange(at_boundary_, nullptr)) waiting();
  });
}

void PanelHost::after_output() {
  if (!at_boundary_) return;
  surroundings_.update_shadow();
  if (!screen_.between_sequences()) return;
  boundary_timer_.stop();
  std::exchange(at_boundary_, nullptr)();
}

// ---- keys ----

std::string_view PanelHost::input(std::string_view bytes) {
  // Byte by byte: whatever follows the key that closes the panel belongs to the remote.
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    raw_key_ += bytes[at];
    for (const auto& key : keys_.feed(bytes.substr(at, 1))) on_key(key, std::exchange(raw_key_, {}));
    if (!is_open()) return bytes.substr(at + 1);
  }
  return {};
}

void PanelHost::flush_keys() {
  for (const auto& key : keys_.flush()) on_key(key, std::exchange(raw_key_, {}));
}

void PanelHost::on_key(const terminal::Key& key, std::string_view raw) {
  if (!is_open()) return surroundings_.send(raw);
  // The terminal answers a question the remote asked before the panel opened.
  if (key.kind == terminal::KeyKind::reply) return surroundings_.send(raw);
  if (hotkey_.matches(key)) return surroundings_.on_hotkey();
  if (keyboard_above_ && !key.is(U't', terminal::kAlt) && key.kind != terminal::KeyKind::mouse)
    return key_to_terminal(key, raw);
  if (selection_.handle_key(key, screen_, free_part(), shown_top_)) return schedule_paint();
  on_action(panel_.handle_key(key));
}

void PanelHost::on_action(const panel::PanelAction& action) {
  using Kind = panel::PanelAction::Kind;
  surroundings_.on_action(action);
  if (action.kind == Kind::close) return close();
  if (action.kind == Kind::repaint) overlay_.repaint();
  if (action.kind == Kind::keyboard) give_keyboard(!keyboard_above_);
  if (action.kind == Kind::layout) fit_remote();
  schedule_paint(kKeyFrameTime);
}

void PanelHost::give_keyboard(bool above) {
  keyboard_above_ = above;
  panel_.set_keyboard_above(above);
}

/// As the terminal would send it if the remote's modes were on, which they are not while the panel is open.
void PanelHost::key_to_terminal(const terminal::Key& key, std::string_view raw) {
  using terminal::KeyKind;
  if (key.kind == KeyKind::focus_in || key.kind == KeyKind::focus_out) return;
  if (key.kind == KeyKind::paste) {
    std::string text = key.text;
    std::replace(text.begin(), text.end(), '\n', '\r');
    const bool bracketed = screen_.modes().bracketed_paste;
    return surroundings_.send(bracketed ? "\x1b[200~" + text + "\x1b[201~" : text);
  }
  const std::string application = cursor_key(key.kind);
  if (screen_.modes().application_cursor && key.modifiers == 0 && !application.empty())
    return surroundings_.send(application);
  surroundings_.send(raw);
}

// ---- frames ----

void PanelHost::schedule_paint() {
  if (!paint_timer_.active()) schedule_paint(panel_.busy() ? kStreamFrameTime : kFrameTime);
}

void PanelHost::schedule_paint(milliseconds frame_time) {
  if (!is_open()) return;
  const auto since = std::chrono::duration_cast<milliseconds>(Clock::now() - last_paint_);
  paint_timer_.start(std::clamp(frame_time - since, milliseconds(0), frame_time), [this] { paint(); });
}

void PanelHost::on_drained() {
  if (paint_wanted_) schedule_paint();
}

void PanelHost::paint() {
  if (look_ == Look::lines) return print_lines();
  if (!overlay_.is_open()) return;
  // A terminal that is still busy with the last frame gets the newest one later, not all of them.
  paint_wanted_ = surroundings_.terminal_busy();
  if (paint_wanted_) return;
  surroundings_.update_shadow();
  terminal::Frame frame(size_);
  copy_session(frame, free_part());
  selection_.mark(frame, screen_, free_part(), shown_top_);
  panel_.draw(frame, panel_.layout().area(size_));
  surroundings_.write(overlay_.paint(frame));
  last_paint_ = Clock::now();
  keep_spinning();
}

/// What the panel leaves of the terminal to the session.
base::Size PanelHost::free_part() const {
  const base::Area area = panel_.layout().area(size_);
  const bool beside = area.col > 0;
  return {beside ? size_.rows : area.row, beside ? area.col : size_.cols};
}

/// The part of the session's screen that the panel leaves free, with its cursor.
void PanelHost::copy_session(terminal::Frame& frame, base::Size part) {
  // Another screen, another cursor: what matters there is above it, not where the last one's window happened to be.
  if (std::exchange(painted_alternate_, screen_.alternate()) != screen_.alternate()) viewport_.reset();
  const terminal::Cursor& cursor = screen_.cursor();
  const int top = shown_top_ = viewport_.follow(screen_.size().rows, part.rows, cursor.row);
  for (int row = 0; row < part.rows && top + row < screen_.size().rows; ++row) {
    auto& cells = frame.rows[static_cast<std::size_t>(row)].cells;
    const auto& from = screen_.row(top + row).cells;
    std::copy_n(from.begin(), std::min(from.size(), static_cast<std::size_t>(part.cols)), cells.begin());
  }
  frame.cursor = cursor;
  frame.cursor.row = std::clamp(cursor.row - top, 0, std::max(part.rows - 1, 0));
}

// ---- lines instead of pictures ----

void PanelHost::open_lines() {
  lines_open_ = true;
  surroundings_.show("\r\n");
  lines_.forget_line();
  surroundings_.on_switched();
  print_lines();
}

void PanelHost::close_lines() {
  if (!std::exchange(lines_open_, false)) return;
  paint_timer_.stop();
  surroundings_.show("\r\n");
  surroundings_.on_switched();
}

void PanelHost::print_lines() {
  if (!lines_open_) return;
  std::string out;
  if (const std::string fresh = lines_.update(panel_); !fresh.empty()) {
    out = "\r\n";
    for (const char c : fresh) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
    lines_.forget_line();
  }
  // While the assistant talks, a prompt after each of its lines would only be noise.
  const bool listening = !panel_.busy() || panel_.prompt_line() != kPlainPrompt || !panel_.typed().empty();
  if (listening) out += lines_.echo(panel_.typed(), panel_.prompt_line());
  if (!out.empty()) surroundings_.show(out);
  last_paint_ = Clock::now();
}

/// While the assistant works its sign turns; nothing else is drawn for that.
void PanelHost::keep_spinning() {
  if (!panel_.busy() || spin_timer_.active()) return;
  spin_timer_.start(kSpinTime, [this] {
    panel_.tick();
    schedule_paint();
  });
}

/// Only a panel beside the session changes the remote's size.
void PanelHost::fit_remote() {
  const base::Size wanted = remote_size();
  if (wanted == screen_.size()) return;
  surroundings_.resize_remote(wanted);
  overlay_.resized();
}

void PanelHost::resized(base::Size size) {
  size_ = size;
  panel_.set_terminal_size(size);
  if (!overlay_.is_open()) return;
  overlay_.resized();
  schedule_paint();
}

}  // namespace app
