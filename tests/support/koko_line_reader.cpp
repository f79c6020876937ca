#include "tests/support/koko_line_reader.h"

#include <algorithm>
#include <initializer_list>
#include <regex>
#include <utility>

#include "base/utf8.h"
#include "base/words.h"

namespace test_server {
namespace {

constexpr std::size_t kRead = 1024;

bool holds_any(std::string_view bytes, std::initializer_list<std::string_view> marks) {
  return std::any_of(marks.begin(), marks.end(),
                     [&](std::string_view mark) { return bytes.find(mark) != std::string_view::npos; });
}

std::vector<std::string> split_at_enters(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == '\r')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::string without_suffix(std::string text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.resize(text.size() - suffix.size());
  return text;
}

bool asks_for_password(const std::string& prompt) {
  static const std::regex asks(
      R"((password:?|mot de passe[:：]?|contraseña[:：]?|senha[:：]?|请输入密码[:：]?)$|\[sudo\]\s*password\s*for\s+.*:|)"
      R"(enter\s+passphrase\s+for\s+.*:|passphrase\s+for\s+key\s+.*:)",
      std::regex::icase);
  return std::regex_search(std::string(base::trimmed(prompt)), asks);
}

}  // namespace

bool koko_printable(std::string_view text) {
  while (!text.empty()) {
    const auto [code, bytes] = base::decode_utf8(text);
    text.remove_prefix(bytes);
    if (code == '\t' || code == '\n' || code == '\r') continue;
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa1) || code == 0xad;
    const bool blank = (code >= 0x2000 && code <= 0x200f) || (code >= 0x2028 && code <= 0x202f) ||
                       (code >= 0x205f && code <= 0x206f) || code == 0x3000 || code == 0xfeff;
    if (control || blank || (code >= 0xe000 && code <= 0xf8ff)) return false;
  }
  return true;
}

KokoLineReader::KokoLineReader(int rows, const terminal::Screen& full_screen)
    : full_screen_(full_screen), screen_(rows) {}

std::string KokoLineReader::cursor_row() {
  return alternate_ ? std::string(base::trimmed(full_screen_.line_at_cursor())) : screen_.row();
}

// ---- What the host prints

/// koko reads at most 1024 bytes at a time, and does not cut a character when a read was full.
void KokoLineReader::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string piece = cut_ + std::string(bytes.substr(0, kRead));
    const bool full = bytes.size() >= kRead || !cut_.empty();
    bytes.remove_prefix(std::min(bytes.size(), kRead));
    const std::size_t tail = full ? base::incomplete_utf8_tail(piece) : 0;
    cut_ = piece.substr(piece.size() - tail);
    feed_piece(std::string_view(piece).substr(0, piece.size() - tail));
  }
}

void KokoLineReader::watch_modes(std::string_view bytes) {
  if (holds_any(bytes, {"\033[?1049h", "\033[?1048h", "\033[?1047h", "\033[?47h"})) alternate_ = true;
  if (!alternate_) return;
  if (!in_multiplexer_ && holds_any(bytes, {"\033[K\r\n"})) {
    in_multiplexer_ = true;
    in_editor_ = false;
  }
  if (!in_multiplexer_ && holds_any(bytes, {"\033[2;1"})) in_editor_ = true;
  if (holds_any(bytes, {"\033[?1049l", "\033[?1048l", "\033[?1047l", "\033[?47l"}))
    alternate_ = in_editor_ = in_multiplexer_ = false;
}

void KokoLineReader::feed_piece(std::string_view bytes) {
  watch_modes(bytes);
  if (in_editor_) return;
  if (!alternate_) screen_.feed(bytes);
  if (!answering_ || row_.empty() || !cursor_row().starts_with(prompt_.substr(0, prompt_.size() / 2))) return;
  const std::string ran = std::exchange(row_, {});
  on_ran(ran);
}

// ---- What is typed

std::optional<std::string> KokoLineReader::take(const std::string& packet) {
  if (packet.empty()) return std::nullopt;
  if (!std::exchange(begun_, true)) prompt_ = cursor_row();
  find_pasted_lines();
  typed_ += packet;
  if (packet.find('\r') != std::string::npos || (packet.size() > 1 && packet.ends_with('\n'))) return enter(packet);
  // The row before the first byte after an answer is the prompt. A line that brings its Enter is read with an older
  // one.
  if (std::exchange(answering_, false)) prompt_ = without_suffix(cursor_row(), typed_);
  return std::nullopt;
}

std::string KokoLineReader::enter(const std::string& packet) {
  const std::string typed(base::trimmed(std::exchange(typed_, {})));
  answering_ = true;
  std::string row = cursor_row();
  if (row.starts_with(prompt_)) row.erase(0, prompt_.size());
  row = base::trimmed(row);
  if (row.empty() && packet.size() > 1) {
    const std::string alone(base::trimmed(packet));
    if (alone.find('\r') != std::string::npos) lines_ = split_at_enters(alone);
    return alone;
  }
  row_ = row;
  if (!koko_printable(typed)) return row;
  if (typed.find(row.substr(row.size() / 2)) == std::string::npos) {
    if (typed.find('\r') == std::string::npos) return row;
    lines_ = split_at_enters(typed);
  }
  return row.empty() && lines_.empty() && asks_for_password(prompt_) ? "" : typed;
}

/// The lines of a paste are looked for on the screen once something else is typed, the last one first.
void KokoLineReader::find_pasted_lines() {
  if (alternate_ || lines_.empty()) return;
  std::vector<std::string> wanted = std::exchange(lines_, {});
  const std::vector<std::string> rows = screen_.rows();
  const std::string last = wanted.back().empty() ? prompt_ : wanted.back();
  if (!wanted.back().empty()) wanted.pop_back();
  std::size_t at = rows.size();
  while (at > 1 && rows[--at].find(last) == std::string::npos) {
  }
  const std::string half = prompt_.substr(0, prompt_.size() / 2);
  for (auto line = wanted.rbegin(); line != wanted.rend(); ++line) {
    while (!line->empty() && at > 1) {
      const std::string& row = rows[--at];
      if (row.find(*line) == std::string::npos || row.find(half) == std::string::npos) continue;
      on_ran(*line);
      break;
    }
  }
}

}  // namespace test_server
