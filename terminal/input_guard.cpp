#include "terminal/input_guard.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/utf8.h"
#include "terminal/charset.h"
#include "vt/control_bytes.h"

namespace terminal {
namespace {

constexpr std::size_t kPiece = 16 * 1024;
/// From here on it pays to print plain text without libvterm and to tell it where the cursor went.
constexpr std::size_t kLongRun = 48;

bool is_printable_ascii(unsigned char byte) {
  return byte >= 0x20 && byte < 0x7F;
}

/// How many bytes from the front libvterm handles well as they are. A line feed does only after a carriage return,
/// which has ended any pending wrap.
std::size_t plain_run(std::string_view bytes) {
  std::size_t at = 0;
  for (; at < bytes.size(); ++at) {
    const char byte = bytes[at];
    if (is_printable_ascii(static_cast<unsigned char>(byte)) || byte == '\r' || byte == '\t') continue;
    if (byte != '\n' || at == 0 || bytes[at - 1] != '\r') break;
  }
  return at;
}

std::size_t printable_run(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size() && is_printable_ascii(static_cast<unsigned char>(bytes[at]))) ++at;
  return at;
}

/// Characters that show nothing and only mislead whoever reads or repaints the text: C1 controls in UTF-8 (no controls
/// in xterm either, and width -1 to libvterm), marks of direction, zero-width spaces, tags.
bool is_dropped(char32_t code) {
  if (code < 0xA0) return true;
  if (code < 0x061C) return false;
  return code == 0x061C || code == 0x200B || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF || (code >= 0xE0000 && code <= 0xE007F);
}

}  // namespace

InputGuard::InputGuard(Canvas& canvas) : canvas_(canvas) {
  out_.reserve(kPiece + 64);
  reset_tabs();
}

void InputGuard::write(std::string_view bytes) {
  while (!bytes.empty()) {
    bytes.remove_prefix(tokens_.in_text() ? take_ground(bytes) : tokens_.take(bytes, *this));
  }
  flush();
}

std::size_t InputGuard::take_ground(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes.front());
  if (utf8_.inside() && !utf8_.continues(first)) {
    utf8_.abandon();
    print(Utf8Reader::kReplacement, 1);
  }
  if (plain_) {
    const std::size_t run = plain_run(bytes);
    if (run > 0) {
      pass(bytes.substr(0, run));
      return run;
    }
  }
  if (first == vt::kEsc) return tokens_.take(bytes, *this);
  if (first >= 0x80) return take_wide_text(bytes);
  if (is_printable_ascii(first)) {
    const std::size_t run = printable_run(bytes);
    print_ascii(bytes.substr(0, run));
    return run;
  }
  on_control(first);
  return 1;
}

/// Text that needs no look: into the buffer as it is.
void InputGuard::pass(std::string_view plain) {
  const auto end = static_cast<unsigned char>(plain.back());
  last_ = is_printable_ascii(end) ? end : 0;
  if (plain.size() >= kLongRun && modes_.autowrap && modes_.margin_bottom < 0) return pass_fast(plain);
  if (own_wrap_) {
    // Tabs at the edge go nowhere and leave the wrap pending.
    plain.remove_prefix(std::min(plain.find_first_not_of('\t'), plain.size()));
    if (plain.empty()) return;
    own_wrap_ = false;
    if (is_printable_ascii(static_cast<unsigned char>(plain.front())) && modes_.autowrap) wrap_line();
  }
  out_draws_ = true;
  out_moved_ = false;
  while (!plain.empty()) {
    if (out_.size() >= kPiece) flush();
    const std::size_t part = std::min(plain.size(), kPiece - out_.size());
    out_.append(plain.substr(0, part));
    out_draws_ = true;
    plain.remove_prefix(part);
  }
  out_moved_ = end == '\r' || end == '\n';  // No wrap is pending then, even if the cursor stands where it stood.
}

void InputGuard::pass_fast(std::string_view plain) {
  Position at = position();
  bool pending = wrap_pending();
  canvas_.print_plain(plain, at, pending);
  move_to(at);
  own_wrap_ = pending;
}

void InputGuard::print_ascii(std::string_view run) {
  for (const char byte : run) {
    const int set = single_shift_ != 0 ? single_shift_ : modes_.shift;
    if (single_shift_ != 0) {
      single_shift_ = 0;
      update_plain();
    }
    print(map_charset(modes_.charsets[static_cast<std::size_t>(set)], static_cast<unsigned char>(byte)), 1);
  }
}

std::size_t InputGuard::take_wide_text(std::string_view bytes) {
  std::size_t at = 0;
  for (; at < bytes.size(); ++at) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte < 0x80 || (utf8_.inside() && !utf8_.continues(byte))) break;
    if (utf8_.take(byte)) print_decoded(utf8_.code());
  }
  return at;
}

void InputGuard::print_decoded(char32_t code) {
  if (is_dropped(code)) return;
  const int width = base::char_width(code);
  if (width == 0) return add_mark(code);
  print(code, width);
}

/// A mark belongs to the character just left of the cursor, if that was printed just now.
void InputGuard::add_mark(char32_t mark) {
  const Position at = position();
  canvas_.add_mark(at, mark);
}

void InputGuard::print(char32_t code, int width) {
  last_ = code;
  if (own_wrap_) {
    own_wrap_ = false;
    if (modes_.autowrap) wrap_line();
  }
  if (careful_ || (width == 2 && !modes_.autowrap)) return print_carefully(code, width);
  if (out_.size() >= kPiece) flush();
  if (code < 0x80) {
    out_.push_back(static_cast<char>(code));
  } else {
    out_.append(width == 2 ? Canvas::kWideStandIn : Canvas::kNarrowStandIn);
    glyphs_.push_back(code);
  }
  out_draws_ = true;
  out_moved_ = false;
}

/// Where libvterm would go wrong: it inserts one column for a wide character, wraps a wide one although wrapping is
/// off, and knows no side margins when it wraps.
void InputGuard::print_carefully(char32_t code, int width) {
  if (wrap_pending() && modes_.autowrap) wrap_line();
  Position at = position();
  int right = right_edge(at);
  if (at.col + width > right && modes_.autowrap) {
    wrap_line();
    at = position();
    right = right_edge(at);
  }
  if (at.col + width > right) return;  // A wide character at the edge without wrapping is not drawn.
  if (modes_.insert && at.col >= margins().left) {
    canvas_.grid().scroll({at.row, at.row + 1, at.col, right}, 0, -width, canvas_.blank());
  }
  canvas_.put(at, code, width);
  const bool full = at.col + width >= right;
  move_to({at.row, full ? right - 1 : at.col + width});
  own_wrap_ = full && modes_.autowrap;
}

/// The wrap that libvterm was not told of, or would do without regard to side margins.
void InputGuard::wrap_line() {
  const Position at = position();
  const int left = modes_.left_right_margins ? margins().left : 0;
  cancel_wrap();
  const std::uint64_t history = canvas_.scrollback().end();
  index_down();
  const Position below = position();
  const bool moved = below.row != at.row || canvas_.scrollback().end() != history || at.row + 1 == margins().bottom;
  if (moved && below.row > 0 && !modes_.left_right_margins) canvas_.grid().set_wrapped(below.row - 1, true);
  move_to({below.row, left});
}

void InputGuard::repeat_last(int count) {
  const char32_t code = std::exchange(last_, 0);
  if (code == 0) return;
  const base::Size size = canvas_.size();
  const int whole = size.rows * size.cols;
  // More than a screenful scrolls by without trace: what counts is the column it ends in.
  if (count > whole) count = whole + (count - whole) % size.cols;
  const int width = base::char_width(code);
  for (; count > 0; --count) print(code, width);
  last_ = 0;
}

bool InputGuard::prints_plainly() const {
  return plain_ && modes_.autowrap && !own_wrap_ && modes_.margin_top == 0 && modes_.margin_bottom < 0;
}

void InputGuard::update_plain() {
  const bool ascii = modes_.charsets[static_cast<std::size_t>(modes_.shift)] == 'B' && single_shift_ == 0;
  careful_ = modes_.insert || modes_.left_right_margins;
  plain_ = ascii && !careful_ && !modes_.newline && !modes_.tab_stops_changed;
}

void InputGuard::flush() {
  if (!out_.empty()) {
    canvas_.feed(out_, glyphs_);
    out_.clear();
    glyphs_.clear();
  }
  if (out_moved_) canvas_.forget_pending_wrap();
  out_moved_ = false;
  out_draws_ = false;
}

void InputGuard::forward(std::string_view sequence) {
  out_.append(sequence);
  out_draws_ = true;
}

void InputGuard::forward(int value, char final_byte) {
  out_.append("\x1b[");
  forward_tail(value, final_byte);
}

/// A further parameter of the sequence in the buffer.
void InputGuard::forward_tail(int value, char final_byte) {
  char text[12];
  char* at = std::end(text);
  *--at = final_byte;
  do {
    *--at = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value > 0);
  out_.append(at, std::end(text));
}

Position InputGuard::position() {
  flush();
  return canvas_.position();
}

bool InputGuard::wrap_pending() {
  flush();
  return own_wrap_ || canvas_.wrap_pending();
}

void InputGuard::cancel_wrap() {
  if (wrap_pending()) move_to(canvas_.position());
}

void InputGuard::sequence(const vt::Sequence& sequence) {
  const std::string_view raw = sequence.raw;
  if (sequence.kind == vt::Kind::csi) {
    if (csi_.read(raw)) on_csi(csi_);
  } else if (sequence.is_string()) {
    on_string(sequence.kind, sequence.body());
  } else if (raw.size() <= 3) {
    on_escape(raw.size() == 3 ? raw[1] : '\0', raw.back());
  }
}

void InputGuard::on_control(unsigned char control) {
  last_ = 0;
  switch (control) {
    case '\b':
      return move_horizontally(-1);
    case '\t':
      return tab(1);
    case '\n':
    case '\v':
    case '\f':
      return line_feed();
    case '\r':
      return carriage_return();
    case 0x0E:
    case 0x0F:
      modes_.shift = control == 0x0E ? 1 : 0;
      return update_plain();
    default:
      return;  // NUL, ENQ (no answerback), BEL, DEL and the rest show nothing.
  }
}

void InputGuard::on_escape(char intermediate, char final_byte) {
  last_ = 0;
  if (intermediate == '#' && final_byte == '8') return align();
  if (intermediate != 0) return designate(intermediate, final_byte);
  switch (final_byte) {
    case '6':
      return column_index(-1);
    case '7':
      return save_cursor();
    case '8':
      return restore_cursor();
    case '9':
      return column_index(1);
    case '=':
    case '>':
      modes_.application_keypad = final_byte == '=';
      return;
    case 'D':
      cancel_wrap();
      return index_down();
    case 'E':
      cancel_wrap();
      index_down();
      return carriage_return();
    case 'H':
      return set_tab(true);
    case 'M':
      return reverse_index();
    case 'N':
    case 'O':
      single_shift_ = final_byte == 'N' ? 2 : 3;
      return update_plain();
    case 'Z':
      return reply("\x1b[?1;2c");
    case 'c':
      return hard_reset();
    case 'n':
    case 'o':
      modes_.shift = final_byte == 'n' ? 2 : 3;
      return update_plain();
    default:
      return;
  }
}

void InputGuard::on_csi(const Csi& csi) {
  if (csi.final_byte != 'b') last_ = 0;
  // The two most frequent first.
  if (csi.leader == 0 && csi.intermediate == 0) {
    if (csi.final_byte == 'm') return set_pen(csi);
    if (csi.final_byte == 'H') return place(csi);
    if (move_csi(csi) || edit_csi(csi)) return;
  }
  if (mode_csi(csi) || query_csi(csi)) return;
  rectangle_csi(csi);
}

}  // namespace terminal
