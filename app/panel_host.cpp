#include "app/panel_host.h"

#include <algorithm>
#include <utility>

namespace app {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kFrameTime{16};
constexpr milliseconds kBoundaryTime{150};  // for the remote to end the sequence it is in

}  // namespace

PanelHost::PanelHost(event::EventLoop& loop, terminal::Screen& screen, const terminal::Capabilities& capabilities,
                     panel::Panel::Options options, Surroundings surroundings)
    : screen_(screen),
      capabilities_(capabilities),
      hotkey_(options.hotkey),
      surroundings_(std::move(surroundings)),
      size_(screen.size()),
      overlay_(screen, capabilities),
      panel_(std::move(options)),
      paint_timer_(loop),
      boundary_timer_(loop) {}

void PanelHost::open() {
  if (!capabilities_.can_draw) return surroundings_.write("\a");
  surroundings_.update_shadow();
  do_between_sequences([this] {
    surroundings_.update_shadow();
    viewport_.reset();
    surroundings_.write(overlay_.open());
    screen_.on_reply(surroundings_.reply);
    surroundings_.on_switched();
    paint();
  });
}

void PanelHost::close() {
  surroundings_.update_shadow();
  do_between_sequences([this] { close_now(); });
}

void PanelHost::close_now() {
  surroundings_.update_shadow();
  paint_timer_.stop();
  paint_wanted_ = false;
  screen_.on_reply(nullptr);
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
    if (!overlay_.is_open()) return bytes.substr(at + 1);
  }
  return {};
}

void PanelHost::flush_keys() {
  for (const auto& key : keys_.flush()) on_key(key, std::exchange(raw_key_, {}));
}

void PanelHost::on_key(const terminal::Key& key, std::string_view raw) {
  if (!overlay_.is_open()) return surroundings_.send(raw);
  // The terminal answers a question the remote asked before the panel opened.
  if (key.kind == terminal::KeyKind::reply) return surroundings_.send(raw);
  if (hotkey_.matches(key)) return surroundings_.on_hotkey();
  const panel::PanelAction action = panel_.handle_key(key);
  surroundings_.on_action(action);
  if (action.kind == panel::PanelAction::Kind::close) return close();
  if (action.kind == panel::PanelAction::Kind::repaint) overlay_.repaint();
  schedule_paint();
}

// ---- frames ----

void PanelHost::schedule_paint() {
  if (!overlay_.is_open() || paint_timer_.active()) return;
  const auto since = std::chrono::duration_cast<milliseconds>(Clock::now() - last_paint_);
  paint_timer_.start(std::clamp(kFrameTime - since, milliseconds(0), kFrameTime), [this] { paint(); });
}

void PanelHost::on_drained() {
  if (paint_wanted_) schedule_paint();
}

void PanelHost::paint() {
  if (!overlay_.is_open()) return;
  // A terminal that is still busy with the last frame gets the newest one later, not all of them.
  paint_wanted_ = surroundings_.terminal_busy();
  if (paint_wanted_) return;
  surroundings_.update_shadow();
  terminal::Frame frame(size_);
  const int panel_rows = panel_.height_for(size_);
  copy_session_rows(frame, size_.rows - panel_rows);
  panel_.draw(frame, {.row = size_.rows - panel_rows, .col = 0, .size = {panel_rows, size_.cols}});
  surroundings_.write(overlay_.paint(frame));
  last_paint_ = Clock::now();
}

void PanelHost::copy_session_rows(terminal::Frame& frame, int rows) {
  // Another screen, another cursor: what matters there is above it, not where the last one's window happened to be.
  if (std::exchange(painted_alternate_, screen_.alternate()) != screen_.alternate()) viewport_.reset();
  const int top = viewport_.follow(screen_.size().rows, rows, screen_.cursor().row);
  for (int row = 0; row < rows && top + row < screen_.size().rows; ++row) {
    auto& cells = frame.rows[static_cast<std::size_t>(row)].cells;
    const auto& from = screen_.row(top + row).cells;
    std::copy_n(from.begin(), std::min(from.size(), cells.size()), cells.begin());
  }
}

void PanelHost::resized(base::Size size) {
  size_ = size;
  if (!overlay_.is_open()) return;
  overlay_.resized();
  schedule_paint();
}

}  // namespace app
