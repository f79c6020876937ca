#include "terminal/screen.h"

#include <algorithm>
#include <utility>

#include "terminal/canvas.h"
#include "terminal/input_guard.h"

namespace terminal {
namespace {

constexpr int kMaxSide = 1000;

/// One column is too few for libvterm; more than a thousand of either is no terminal.
base::Size sane(base::Size size) {
  return {.rows = std::clamp(size.rows, 1, kMaxSide), .cols = std::clamp(size.cols, 2, kMaxSide)};
}

void trim_blanks(std::string& text, std::size_t from) {
  while (text.size() > from && text.back() == ' ') text.pop_back();
}

/// A row's text in full, as a part of a longer line. Cells at its end that were never written are no part of it: a
/// wide character left one when it went to the next row, and a wider screen has more.
void append_part(std::string& out, const Row& row) {
  std::size_t end = row.cells.size();
  while (end > 0 && row.cells[end - 1].chars[0] == 0 && row.cells[end - 1].width == 1) --end;
  for (std::size_t i = 0; i < end; ++i) append_cell_text(out, row.cells[i]);
}

CursorShape shape_of(int style) {
  if (style <= 2) return CursorShape::block;
  return style <= 4 ? CursorShape::underline : CursorShape::bar;
}

}  // namespace

struct Screen::Impl {
  explicit Impl(const Options& options)
      : canvas(sane(options.size), options.scrollback_lines, options.scrollback_bytes), guard(canvas) {}

  void refresh_cursor() {
    const Position at = canvas.position();
    const Modes& modes = guard.modes();
    cursor = {.row = at.row,
              .col = at.col,
              .visible = modes.cursor_visible,
              .blink = guard.cursor_blinks(),
              .shape = shape_of(modes.cursor_style)};
  }

  std::uint64_t first_row_line() const { return canvas.scrollback().end(); }

  Canvas canvas;
  InputGuard guard;
  Cursor cursor;
};

Screen::Screen(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
Screen::~Screen() = default;

void Screen::write(std::string_view bytes) {
  impl_->guard.write(bytes);
  impl_->refresh_cursor();
}

void Screen::resize(base::Size size) {
  size = sane(size);
  if (size == impl_->canvas.size()) return;
  impl_->guard.resize(size);
  impl_->refresh_cursor();
}

void Screen::on_reply(std::function<void(std::string_view)> receiver) {
  impl_->guard.on_reply(std::move(receiver));
}

base::Size Screen::size() const {
  return impl_->canvas.size();
}

const Row& Screen::row(int index) const {
  return impl_->canvas.grid().row(index);
}

const Cursor& Screen::cursor() const {
  return impl_->cursor;
}

bool Screen::alternate() const {
  return impl_->canvas.alternate();
}

bool Screen::wrap_pending() const {
  return impl_->guard.waits_to_wrap();
}

const std::string& Screen::title() const {
  return impl_->guard.title();
}

const Modes& Screen::modes() const {
  return impl_->guard.modes();
}

bool Screen::between_sequences() const {
  return impl_->guard.between_sequences();
}

std::uint64_t Screen::change_count() const {
  return impl_->canvas.changes();
}

std::uint64_t Screen::first_line() const {
  return impl_->canvas.scrollback().first();
}

std::uint64_t Screen::end_line() const {
  return impl_->first_row_line() + static_cast<std::uint64_t>(size().rows);
}

std::string Screen::text(std::uint64_t from, std::uint64_t to) const {
  from = std::max(from, first_line());
  to = std::min(to, end_line());
  std::string out;
  std::size_t line_start = 0;
  for (std::uint64_t line = from; line < to; ++line) {
    const bool stored = line < impl_->first_row_line();
    const Row row = stored ? impl_->canvas.scrollback().row(line)
                           : impl_->canvas.main().row(static_cast<int>(line - impl_->first_row_line()));
    if (row.wrapped && line + 1 < to) {
      append_part(out, row);
      continue;
    }
    for (const Cell& cell : row.cells) append_cell_text(out, cell);
    trim_blanks(out, line_start);
    out.push_back('\n');
    line_start = out.size();
  }
  return out;
}

std::string Screen::line_at_cursor() const {
  const Grid& grid = impl_->canvas.grid();
  const Scrollback& history = impl_->canvas.scrollback();
  int first = impl_->cursor.row;
  while (first > 0 && grid.row(first - 1).wrapped) --first;
  std::string out;
  if (first == 0 && !alternate()) {
    std::uint64_t line = history.end();
    while (line > history.first() && history.wrapped(line - 1)) --line;
    for (; line < history.end(); ++line) append_part(out, history.row(line));
  }
  for (int row = first; row < size().rows; ++row) {
    const bool last = !grid.row(row).wrapped;
    if (last) {
      for (const Cell& cell : grid.row(row).cells) append_cell_text(out, cell);
      break;
    }
    append_part(out, grid.row(row));
  }
  trim_blanks(out, 0);
  return out;
}

Row Screen::line_row(std::uint64_t line) const {
  Row row;
  if (line >= impl_->first_row_line() && line < end_line())
    row = impl_->canvas.main().row(static_cast<int>(line - impl_->first_row_line()));
  else if (line >= first_line() && line < impl_->first_row_line())
    row = impl_->canvas.scrollback().row(line);
  const auto cols = static_cast<std::size_t>(size().cols);
  if (row.cells.size() < cols) row.cells.resize(cols);
  return row;
}

bool Screen::scrolls_plainly() const {
  return between_sequences() && !alternate() && impl_->guard.prints_plainly();
}

std::size_t Screen::scrollback_limit() const {
  return impl_->canvas.scrollback().max_lines();
}

void Screen::skip_lines(std::uint64_t lines) {
  impl_->canvas.scrollback().skip_numbers(lines);
}

}  // namespace terminal
