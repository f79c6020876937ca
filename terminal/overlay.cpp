#include "terminal/overlay.h"

#include <algorithm>

#include "terminal/glyph.h"
#include "terminal/query_filter.h"
#include "terminal/tty_writer.h"

namespace terminal {
namespace {

// The panel wants pastes marked, and wheel and clicks told, whatever the remote wanted; close() takes it back.
constexpr std::string_view kPanelModesOn = "\x1b[?2004h\x1b[?1000h\x1b[?1006h";
constexpr std::string_view kPanelModesOff = "\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[m";

std::string leave_alternate(const Modes& modes) {
  return "\x1b[?" + std::to_string(modes.alternate_mode) + "l";
}
std::string enter_alternate(const Modes& modes) {
  return "\x1b[?" + std::to_string(modes.alternate_mode) + "h";
}

/// Splits modes in two, for writing a character at a place that the first part has made reachable: `place` without what
/// changes how characters are written, `write` with only that.
struct Parts {
  Modes place;
  Modes write;
};

Parts split(const Modes& modes) {
  Parts parts{modes, {}};
  const auto move_over = [&](auto field) { std::swap(parts.place.*field, parts.write.*field); };
  move_over(&Modes::charsets);
  move_over(&Modes::shift);
  move_over(&Modes::pen);
  move_over(&Modes::underline_color);
  move_over(&Modes::hyperlink);
  move_over(&Modes::autowrap);
  parts.write.cursor_visible = modes.cursor_visible;
  return parts;
}

}  // namespace

Overlay::Overlay(const Screen& screen, const Capabilities& capabilities)
    : screen_(screen), capabilities_(capabilities), display_(capabilities) {
  // Frames are shown on an alternate screen only, so nothing that scrolls lands in the operator's scrollback.
  display_.allow_scrolling(true);
}

std::string Overlay::open() {
  open_ = true;
  log_.clear();
  log_is_whole_ = screen_.between_sequences();
  before_ = pose_of_shadow();
  top_line_ = screen_.end_line() - static_cast<std::uint64_t>(screen_.size().rows);
  alternate_rows_.clear();
  if (before_.modes.alternate)
    for (int row = 0; row < screen_.size().rows; ++row) alternate_rows_.push_back(screen_.row(row));

  // A sequence that hangs half way would swallow our first bytes; CAN ends it.
  std::string bytes = log_is_whole_ ? "" : "\x18";
  bytes += make_plain(before_.modes);
  if (!before_.modes.alternate) bytes += "\x1b[?1047h";
  bytes += kPanelModesOn;
  display_.invalidate();
  return bytes;
}

void Overlay::record(std::string_view bytes) {
  if (!log_is_whole_) return;
  if (log_.size() + bytes.size() > kLogLimit) {
    log_is_whole_ = false;
    std::string().swap(log_);
    return;
  }
  log_.append(bytes);
}

void Overlay::resized() {
  log_is_whole_ = false;
  std::string().swap(log_);
  display_.invalidate();
}

std::string Overlay::paint(const Frame& frame) {
  return display_.render(frame);
}

std::string Overlay::close() {
  open_ = false;
  std::string bytes(kPanelModesOff);
  bytes += before_.modes.alternate ? return_to_alternate_screen() : return_to_main_screen();
  std::string().swap(log_);
  alternate_rows_.clear();
  return bytes;
}

std::string Overlay::return_to_main_screen() {
  std::string bytes = "\x1b[?1047l";
  if (log_is_whole_) return bytes + restore(before_) + without_queries(log_);
  bytes += rebuild_main_screen(top_line_);
  if (!screen_.alternate()) return bytes + restore(pose_of_shadow());
  bytes += enter_alternate(screen_.modes());
  return bytes + return_to_alternate_screen();
}

std::string Overlay::return_to_alternate_screen() {
  if (log_is_whole_ && log_switches_screens())
    return paint_whole(alternate_rows_) + restore(before_) + without_queries(log_);
  if (!screen_.alternate())
    return leave_alternate(before_.modes) + rebuild_main_screen(top_line_) + restore(pose_of_shadow());
  std::vector<Row> rows;
  for (int row = 0; row < screen_.size().rows; ++row) rows.push_back(screen_.row(row));
  return paint_whole(rows) + restore(pose_of_shadow());
}

bool Overlay::log_switches_screens() const {
  for (const char* sequence : {"\x1b[?1049", "\x1b[?1047", "\x1b[?47",
                               "\x1b"
                               "c"})
    if (log_.find(sequence) != std::string::npos) return true;
  return false;
}

std::string Overlay::paint_whole(const std::vector<Row>& rows) {
  Frame frame(screen_.size());
  std::copy_n(rows.begin(), std::min(rows.size(), frame.rows.size()), frame.rows.begin());
  display_.invalidate();
  return display_.render(frame);
}

/// Puts the main screen in order when the terminal's own copy is out of date: all lines since number `from` are written
/// again, so that those that scroll off enter the terminal's scrollback too.
std::string Overlay::rebuild_main_screen(std::uint64_t from) const {
  TtyWriter writer(capabilities_);
  writer.start(screen_.size());
  writer.append("\x1b[H\x1b[m");
  const std::uint64_t kept = std::max(from, screen_.first_line());
  if (kept > from)
    writer.append("[jms: " + std::to_string(kept - from) + " lines went by while the panel was open]\x1b[K\r\n");
  std::vector<Cell> cells;
  for (std::uint64_t line = kept; line < screen_.end_line(); ++line) {
    const Row row = screen_.line_row(line);
    shown_row(row, screen_.size().cols, capabilities_, cells);
    writer.put_line(cells);
    // A soft-wrapped row goes on by itself, so that the terminal too knows the two as one line.
    if (line + 1 < screen_.end_line() && !row.wrapped) writer.append("\r\n");
  }
  return writer.take() + "\x1b[m";
}

std::string Overlay::reclaim() {
  log_is_whole_ = false;
  std::string().swap(log_);
  display_.invalidate();
  const std::string clear = "\x1b[m\x1b[H\x1b[2J";
  if (open_) return (before_.modes.alternate ? "" : "\x1b[?1047h") + std::string(kPanelModesOn) + clear;
  if (screen_.alternate()) return enter_alternate(screen_.modes()) + return_to_alternate_screen();
  return clear + rebuild_main_screen(screen_.end_line() - static_cast<std::uint64_t>(screen_.size().rows)) +
         restore(pose_of_shadow());
}

Overlay::Pose Overlay::pose_of_shadow() const {
  Pose pose{screen_.modes(), screen_.cursor(), screen_.wrap_pending(), {}};
  std::vector<Cell> cells;
  shown_row(screen_.row(pose.cursor.row), screen_.size().cols, capabilities_, cells);
  auto col = static_cast<std::size_t>(pose.cursor.col);
  // A wide character in the last two columns is written again from its first half.
  if (pose.wrap_pending && col > 0 && cells[col].width == 0) --col;
  pose.cursor.col = static_cast<int>(col);
  pose.last_cell = cells[col];
  return pose;
}

std::string Overlay::restore(const Pose& pose) const {
  const std::string place = cursor_to(pose.modes, pose.cursor.row, pose.cursor.col);
  if (!pose.wrap_pending) return restore_modes(pose.modes) + place;
  // Only writing the last column again makes a terminal wait to wrap; that needs the plain pen and charsets first.
  const Parts parts = split(pose.modes);
  std::string bytes = restore_modes(parts.place) + place;
  TtyWriter writer(capabilities_);
  writer.put_here(pose.last_cell);
  return bytes + writer.take() + "\x1b[m" + restore_modes(parts.write);
}

std::string Overlay::exit_sequence() const {
  const Modes& modes = open_ ? before_.modes : screen_.modes();
  if (!open_ && modes == Modes{}) return {};
  const Cursor& cursor = open_ ? before_.cursor : screen_.cursor();
  std::string bytes;
  if (open_) bytes += kPanelModesOff;
  if (open_ && !modes.alternate) bytes += "\x1b[?1047l";
  if (modes.alternate) bytes += leave_alternate(modes);
  if (!open_) bytes += make_plain(modes);
  if (modes.tab_stops_changed) bytes += default_tab_stops(screen_.size().cols);
  // Resetting margins, and the panel's frames, have moved the cursor; 1049 has brought it back by itself.
  if (!modes.alternate) bytes += cursor_to(Modes{}, cursor.row, cursor.col);
  if (open_) bytes += "\r\n";
  bytes += "\x1b[?25h";
  if (modes.cursor_style != 0) bytes += "\x1b[0 q";
  if (!modes.kitty_keyboard.empty()) bytes += "\x1b[<" + std::to_string(modes.kitty_keyboard.size()) + "u";
  return bytes;
}

}  // namespace terminal
