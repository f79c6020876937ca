#include "tests/support/koko_screen.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/utf8.h"

namespace test_server {
namespace {

constexpr std::size_t kMostRows = 2000, kKeptRows = 1000;

bool ends_sequence(char c) {
  return c >= 0x40;
}

/// A number and nothing else.
std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string in_utf8(std::u32string_view text) {
  std::string out;
  for (const char32_t code : text) base::append_utf8(out, code);
  return out;
}

}  // namespace

// ---- A row

std::string KokoScreen::Row::shown() const {
  const std::u32string_view all = text;
  return in_utf8(all.ends_with(proposed) ? all.substr(0, all.size() - proposed.size()) : all);
}

void KokoScreen::Row::go(int column) {
  if (x == column) return;
  x = std::max(0, column);
  int cells = 0;
  for (at = 0; at < text.size(); ++at) {
    cells += base::char_width(text[at]);
    if (cells > x) return;
  }
}

void KokoScreen::Row::put(char32_t code) {
  if (at < text.size())
    text[at] = code;
  else
    text += code;
  ++at;
  x += base::char_width(code);
  if (proposing) proposed += code;
}

void KokoScreen::Row::insert_blanks(int count) {
  text.insert(at, static_cast<std::size_t>(count), U' ');
  at += static_cast<std::size_t>(count);
  x += count;
}

/// What does not come out even, or is more than there is, takes all the rest with it.
void KokoScreen::Row::remove(int cells) {
  std::size_t end = at;
  while (end < text.size() && cells != 0) cells -= base::char_width(text[end++]);
  text.erase(at, cells == 0 ? end - at : std::u32string::npos);
}

// ---- The screen

KokoScreen::KokoScreen(int rows) : rows_(static_cast<std::size_t>(std::max(1, rows))) {}

void KokoScreen::feed(std::string_view bytes) {
  unread_ += bytes;
  const std::string all = unread_;
  unread_ = parse(all);
  keep_last_rows();
}

std::string KokoScreen::row() {
  return current().shown();
}

std::vector<std::string> KokoScreen::rows() const {
  std::vector<std::string> all;
  for (const auto& row : rows_) all.push_back(row.shown());
  return all;
}

KokoScreen::Row& KokoScreen::current() {
  y_ = std::max(1, y_);
  if (rows_.empty()) rows_.emplace_back();
  return rows_[std::min(static_cast<std::size_t>(y_), rows_.size()) - 1];
}

void KokoScreen::keep_last_rows() {
  if (rows_.size() < kMostRows) return;
  rows_.erase(rows_.begin(), rows_.end() - kKeptRows);
  y_ = std::min(y_, static_cast<int>(kKeptRows));
}

/// Gives what has to wait for more bytes. A byte that is no UTF-8 waits for ever, and everything behind it.
std::string_view KokoScreen::parse(std::string_view rest) {
  while (!rest.empty()) {
    const auto [code, bytes] = base::decode_utf8(rest);
    if (code == 0xfffd) return rest;
    rest.remove_prefix(bytes);
    if (code == 0x1b)
      rest = escape(rest);
    else if (code < 0x20)
      control(code);
    else if (code != 0x7f) {
      Row& row = current();
      row.go(x_);
      row.put(code);
      x_ += base::char_width(code);
    }
  }
  return rest;
}

void KokoScreen::control(char32_t code) {
  if (code == '\b' && --x_ < 0) x_ = 1;
  if (code == '\r') x_ = 0;
  if (code == '\n') ++y_;
  if ((code == '\r' || code == '\n') && y_ > static_cast<int>(rows_.size())) rows_.emplace_back();
}

/// What follows ESC. A title without its end, or a sequence without its last letter, is text from there on.
std::string_view KokoScreen::escape(std::string_view rest) {
  if (rest.empty()) return rest;
  const char kind = rest.front();
  rest.remove_prefix(1);
  if (kind == '[') return control_sequence(rest);
  if (kind == ']') {
    const auto bell = rest.find('\a'), terminator = rest.find("\u009c");
    if (bell != std::string_view::npos) return rest.substr(bell + 1);
    return terminator == std::string_view::npos ? rest : rest.substr(terminator + 2);
  }
  if (kind != '(' && kind != ')') return rest;
  const auto end = std::find_if(rest.begin(), rest.end(), ends_sequence);
  return end == rest.end() ? rest : rest.substr(static_cast<std::size_t>(end - rest.begin()) + 1);
}

std::string_view KokoScreen::control_sequence(std::string_view rest) {
  const auto end = std::find_if(rest.begin(), rest.end(), ends_sequence);
  if (end == rest.end()) return rest;
  const auto length = static_cast<std::size_t>(end - rest.begin());
  act(*end, rest.substr(0, length));
  return rest.substr(length + 1);
}

void KokoScreen::act(char final, std::string_view parameters) {
  const std::optional<int> count = parameters.empty() ? 1 : number(parameters);
  switch (final) {
    case '@':
      if (parameters.empty() || !count) return;
      current().go(x_);
      return current().insert_blanks(*count);
    case 'P':
    case 'X':
      if (!count) return;
      current().go(x_);
      return current().remove(*count);
    case 'J':
      return erase_display(parameters);
    case 'K':
      if (parameters == "2") return erase_all();
      if (!parameters.empty() && parameters != "0") return;
      current().go(x_);
      return current().erase_right();
    case 'm':
      return colour(parameters);
    default:
      return move(final, parameters);
  }
}

void KokoScreen::move(char final, std::string_view parameters) {
  const std::optional<int> count = parameters.empty() ? 1 : number(parameters);
  const bool digit = parameters.size() == 1 && count;
  if (final == 'H') {
    if (parameters.empty()) x_ = y_ = 1;
    if (parameters.size() != 3 || parameters[1] != ';') return;
    if (const auto row = number(parameters.substr(0, 1))) y_ = *row;
    if (const auto column = number(parameters.substr(2))) x_ = *column;
  } else if (final == 'G') {
    if (digit) x_ = *count;
  } else if (!count || (final == 'A' && parameters.size() > 1)) {
    return;
  } else if (final == 'A' || final == 'F') {
    y_ = std::max(0, y_ - *count);
  } else if (final == 'B' || final == 'E') {
    y_ += *count;
  } else if (final == 'C') {
    x_ += *count;
  } else if (final == 'D') {
    x_ -= *count;
    if (x_ < 0) x_ = 1;
  } else if (final == 'd') {
    y_ = *count;
  }
}

void KokoScreen::erase_display(std::string_view parameters) {
  const std::size_t last = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0, y_)), 0, rows_.size());
  if (parameters.empty()) {
    y_ = std::min(y_, static_cast<int>(rows_.size()));
    rows_.resize(last);
    current().go(x_);
    current().erase_right();
  } else if (parameters == "0") {
    rows_.resize(last);
  } else if (parameters == "1" && last > 0) {
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(last) - 1);
  } else if (parameters == "2") {
    erase_all();
  }
}

void KokoScreen::erase_all() {
  rows_.clear();
  x_ = y_ = 0;
}

/// fish proposes the rest of a line in grey; koko leaves out what was written in that colour.
void KokoScreen::colour(std::string_view parameters) {
  if (y_ < 1 || rows_.empty()) return;
  Row& row = current();
  if (parameters == "90") {
    row.proposing = true;
    row.proposed.clear();
  } else if (parameters == "30") {
    if (!row.proposing) row.proposed.clear();
    row.proposing = false;
  }
}

}  // namespace test_server
