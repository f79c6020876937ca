#include "remote_exec/screen_guard.h"

#include <cstring>

#include "remote_exec/cursor_moves.h"

namespace remote_exec {
namespace {

/// fish writes this at the left margin, wiped again at once, before each prompt; it announces no bracketed paste when
/// it runs without its configuration.
constexpr std::string_view kFishLeavesLine = "\u23ce";

/// As find_first_of, at the speed of memchr.
bool holds_any(std::string_view bytes, std::string_view wanted) {
  for (const char c : wanted) {
    if (std::memchr(bytes.data(), c, bytes.size()) != nullptr) return true;
  }
  return false;
}

}  // namespace

void ScreenGuard::feed(std::string_view bytes, std::string& out) {
  const bool plain =
      !our_line_ && tokens_.in_text() && !holds_any(bytes, "\033\005\016\017") && !shows_typed_mark(bytes);
  if (plain) {
    at_margin_ = bytes.ends_with('\r');
    out += bytes;
    return;
  }
  out_ = &out;
  tokens_.feed(bytes, *this);
  out_ = nullptr;
}

bool ScreenGuard::shows_typed_mark(std::string_view bytes) const {
  return !typed_mark_.empty() && bytes.find(typed_mark_) != std::string_view::npos;
}

void ScreenGuard::text(std::string_view run) {
  if (at_margin_ && run.starts_with(kFishLeavesLine)) left_line_ = true;
  at_margin_ = false;
  if (our_line_) return;
  if (shows_typed_mark(run)) {
    our_line_ = true;
    *out_ += "\r\033[K";
    return;
  }
  *out_ += run;
}

void ScreenGuard::control(char c) {
  at_margin_ = c == '\r';
  if (c == 0x05) return;  // ENQ makes a terminal answer.
  if (c == 0x0e || c == 0x0f) charset_ = c == 0x0e;
  if (our_line_ && (c == '\n' || c == '\r')) {
    if (c == '\n') our_line_ = false;
    return;
  }
  *out_ += c;
}

void ScreenGuard::sequence(const vt::Sequence& sequence) {
  const std::string_view raw = sequence.raw;
  at_margin_ = false;
  if (sequence.is_string() || sequence.cut || (keep_down_ && moves_up(sequence))) return;
  if (sequence.kind == vt::Kind::csi) return csi(raw);
  if (raw.size() == 3 && (raw[1] == '(' || raw[1] == ')')) charset_ = raw[2] != 'B';
  if (raw == "\033Z") return;  // DECID asks who the terminal is.
  *out_ += raw;
}

void ScreenGuard::csi(std::string_view raw) {
  const char final = raw.back();
  const std::string_view parameters = raw.substr(2, raw.size() - 3);
  const bool query = final == 'n' || final == 'c' || final == 't' || final == 'x' ||
                     (final == 'p' && parameters.ends_with('$')) || (final == 'q' && parameters.starts_with('>')) ||
                     (final == 'u' && parameters.starts_with('?'));
  if (query && !alternate_) return;
  if (final == 'm') pen_ = !(parameters.empty() || parameters == "0");
  if (final == 'r' && !parameters.starts_with('?')) margins_ = !parameters.empty();
  if ((final == 'h' || final == 'l') && parameters.starts_with('?')) private_mode(parameters.substr(1), final == 'h');
  *out_ += raw;
}

void ScreenGuard::private_mode(std::string_view parameters, bool on) {
  while (!parameters.empty()) {
    const auto cut = parameters.find(';');
    const std::string_view mode = parameters.substr(0, cut);
    if (mode == "1049" || mode == "1047" || mode == "47") alternate_ = on;
    if (mode == "25") hidden_cursor_ = !on;
    if (mode == "2004") line_editor_ = on;
    if (mode == "1000" || mode == "1002" || mode == "1003") mouse_ = on;
    parameters = cut == std::string_view::npos ? std::string_view() : parameters.substr(cut + 1);
  }
}

std::string ScreenGuard::restore() {
  std::string bytes;
  out_ = &bytes;
  tokens_.finish(*this);
  out_ = nullptr;
  if (alternate_) bytes += "\033[?1049l";
  if (margins_) bytes += "\0337\033[r\0338";  // Setting margins moves the cursor home.
  if (charset_) bytes += "\033(B\017";
  if (pen_) bytes += "\033[m";
  if (hidden_cursor_) bytes += "\033[?25h";
  if (mouse_) bytes += "\033[?1000l\033[?1002l\033[?1003l\033[?1006l";
  alternate_ = margins_ = charset_ = pen_ = hidden_cursor_ = mouse_ = line_editor_ = left_line_ = our_line_ = false;
  return bytes;
}

}  // namespace remote_exec
