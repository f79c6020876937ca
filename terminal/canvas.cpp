#include "terminal/canvas.h"

#include <vterm.h>

#include <algorithm>
#include <string>

#include "base/free.h"

namespace terminal {

struct Canvas::Vterm {
  std::unique_ptr<VTerm, base::Free<vterm_free>> term;
  VTermState* state = nullptr;
};

/// libvterm's callbacks. Rectangles and positions from it are not believed to be inside the screen.
struct Canvas::Callbacks {
  static Canvas& self(void* user) { return *static_cast<Canvas*>(user); }
  static Area area(VTermRect rect) { return {rect.start_row, rect.end_row, rect.start_col, rect.end_col}; }

  static int put_glyph(VTermGlyphInfo* info, VTermPos pos, void* user) {
    Canvas& canvas = self(user);
    char32_t code = info->chars[0];
    if (code >= 0x80) {
      if (canvas.next_glyph_ == canvas.end_glyph_) return 1;
      code = *canvas.next_glyph_++;
    }
    canvas.note_wrap({pos.row, pos.col}, info->width);
    canvas.put({pos.row, pos.col}, code, info->width);
    return 1;
  }

  static int move_cursor(VTermPos pos, VTermPos, int, void* user) {
    Canvas& canvas = self(user);
    canvas.at_ = {pos.row, pos.col};
    if (canvas.pending_ && !(canvas.at_ == canvas.last_glyph_)) canvas.pending_ = false;
    ++canvas.changes_;
    return 1;
  }

  static int scroll_rect(VTermRect rect, int down, int right, void* user) {
    self(user).scrolled(area(rect), down, right);
    return 1;
  }

  static int erase(VTermRect rect, int selective, void* user) {
    Canvas& canvas = self(user);
    if (selective != 0) {
      canvas.active_->erase_selectively(area(rect), canvas.blank());
    } else {
      canvas.active_->erase(area(rect), canvas.blank());
    }
    ++canvas.changes_;
    return 1;
  }

  static int set_property(VTermProp, VTermValue*, void*) { return 1; }

  static constexpr VTermStateCallbacks kTable = {.putglyph = put_glyph,
                                                 .movecursor = move_cursor,
                                                 .scrollrect = scroll_rect,
                                                 .moverect = nullptr,
                                                 .erase = erase,
                                                 .initpen = nullptr,
                                                 .setpenattr = nullptr,
                                                 .settermprop = set_property,
                                                 .bell = nullptr,
                                                 .resize = nullptr,
                                                 .setlineinfo = nullptr};
};

Canvas::Canvas(base::Size size, std::size_t scrollback_lines, std::size_t scrollback_bytes)
    : main_(size),
      alternate_(size),
      scrollback_(scrollback_lines, scrollback_bytes),
      vterm_(std::make_unique<Vterm>()) {
  vterm_->term.reset(vterm_new(size.rows, size.cols));
  vterm_set_utf8(vterm_->term.get(), 1);
  vterm_->state = vterm_obtain_state(vterm_->term.get());
  vterm_state_set_callbacks(vterm_->state, &Callbacks::kTable, this);
  vterm_state_reset(vterm_->state, 1);
}

Canvas::~Canvas() = default;

void Canvas::feed(std::string_view bytes, const std::vector<char32_t>& glyphs) {
  next_glyph_ = glyphs.data();
  end_glyph_ = glyphs.data() + glyphs.size();
  vterm_input_write(vterm_->term.get(), bytes.data(), bytes.size());
}

Position Canvas::position() const {
  VTermPos pos;
  vterm_state_get_cursorpos(vterm_->state, &pos);
  const base::Size limits = size();
  // libvterm leaves the cursor on a wide character that filled the row; terminals have it in the last column.
  return {std::clamp(pos.row, 0, limits.rows - 1),
          pending_ ? limits.cols - 1 : std::clamp(pos.col, 0, limits.cols - 1)};
}

/// Tells a soft wrap from a new line: the character came to column 0 because the row above was full.
inline void Canvas::note_wrap(Position at, int width) {
  if (at.col == 0 && at.row > 0) {
    const bool was_full = pending_ || (width == 2 && at_.col >= size().cols - 1);
    if (was_full && (at.row != at_.row || scrolled_)) active_->set_wrapped(at.row - 1, true);
  }
  scrolled_ = false;
  at_ = {at.row, at.col + width};
  // With wrapping off libvterm stays where it is and reports nothing; the guard keeps `wraps_` true to it.
  pending_ = wraps_ && at_.col >= size().cols;
}

void Canvas::put(Position at, char32_t code, int width) {
  const base::Size limits = size();
  if (at.row < 0 || at.row >= limits.rows || at.col < 0 || at.col + width > limits.cols) return;
  active_->put(at.row, at.col, code, width, pen_);
  last_glyph_ = at;
  last_width_ = width;
  glyph_known_ = true;
  ++changes_;
}

void Canvas::feed_line(Position& at) {
  if (at.row + 1 < size().rows) {
    ++at.row;
  } else {
    scrolled({.top = 0, .bottom = size().rows, .left = 0, .right = size().cols}, 1, 0);
  }
}

void Canvas::print_row_part(std::string_view text, Position& at, bool& pending) {
  const int cols = size().cols;
  while (!text.empty()) {
    if (pending) {
      feed_line(at);
      if (at.row > 0) active_->set_wrapped(at.row - 1, true);
      at.col = 0;
    }
    const std::string_view part = text.substr(0, static_cast<std::size_t>(cols - at.col));
    text.remove_prefix(part.size());
    active_->put_ascii(at.row, at.col, part, pen_);
    at.col += static_cast<int>(part.size());
    last_glyph_ = {at.row, at.col - 1};
    last_width_ = 1;
    glyph_known_ = true;
    pending = at.col == cols;
    if (pending) at.col = cols - 1;
  }
}

void Canvas::print_plain(std::string_view text, Position& at, bool& pending) {
  std::size_t from = 0;
  while (from < text.size()) {
    std::size_t end = from;
    while (end < text.size() && text[end] >= ' ') ++end;
    print_row_part(text.substr(from, end - from), at, pending);
    if (end == text.size()) break;
    switch (text[end]) {
      case '\r':
        at.col = 0;
        pending = false;
        break;
      case '\n':
        feed_line(at);
        break;
      default:
        if (!pending) at.col = std::min((at.col / 8 + 1) * 8, size().cols - 1);
    }
    from = end + 1;
  }
  scrolled_ = false;
  ++changes_;
}

void Canvas::add_mark(Position cursor, char32_t mark) {
  if (!glyph_known_ || cursor.row != last_glyph_.row) return;
  if (cursor.col != std::min(last_glyph_.col + last_width_, size().cols - 1)) return;
  if (active_->add_mark(last_glyph_.row, last_glyph_.col, mark)) ++changes_;
}

void Canvas::scrolled(const Area& area, int down, int right) {
  scrolled_ = true;
  glyph_known_ = false;
  ++changes_;
  if (area.top == 0 && down > 0 && area.left == 0 && area.right >= size().cols && keep_history_ && !alternate()) {
    const int count = std::min({down, area.bottom, size().rows});
    for (int row = 0; row < count; ++row) scrollback_.push(active_->row(row), active_->used(row));
  }
  active_->scroll(area, down, right, blank());
}

/// Rows below the cursor go first when a screen gets lower, then rows from the top go into the history; a higher one
/// takes them back from there: what xterm does. Returns how far the cursor's row moved.
int Canvas::resize_grid(Grid& grid, base::Size wanted, int cursor_row, bool history) {
  const int rows = grid.size().rows;
  int moved = 0;
  if (wanted.rows < rows) {
    const int below = std::min(rows - wanted.rows, rows - 1 - cursor_row);
    grid.remove_bottom(below);
    const int above = rows - wanted.rows - below;
    if (history) {
      for (int row = 0; row < above; ++row) scrollback_.push(grid.row(row), grid.used(row));
    }
    grid.remove_top(above);
    moved = -above;
  }
  grid.set_cols(wanted.cols);
  while (history && grid.size().rows < wanted.rows && !scrollback_.empty()) {
    grid.add_top(scrollback_.pop());
    ++moved;
  }
  grid.add_bottom(wanted.rows - grid.size().rows);
  return moved;
}

void Canvas::resize(base::Size wanted, Position& cursor, Position& main_cursor) {
  const int old_rows = size().rows;
  if (alternate()) {
    cursor.row += resize_grid(alternate_, wanted, cursor.row, false);
    main_cursor.row += resize_grid(main_, wanted, std::clamp(main_cursor.row, 0, old_rows - 1), true);
  } else {
    cursor.row += resize_grid(main_, wanted, cursor.row, true);
    main_cursor = cursor;
    resize_grid(alternate_, wanted, 0, false);
  }
  // The order that libvterm survives: no margins, cursor at the bottom left, then the size.
  feed("\x18\x1b[?6l\x1b[?69l\x1b[r\x1b[" + std::to_string(old_rows) + ";1H");
  vterm_set_size(vterm_->term.get(), wanted.rows, wanted.cols);
  cursor.row = std::clamp(cursor.row, 0, wanted.rows - 1);
  cursor.col = std::clamp(cursor.col, 0, wanted.cols - 1);
  pending_ = false;
  glyph_known_ = false;
  ++changes_;
}

}  // namespace terminal
