#include "app/session/start_position.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace app {
namespace {

/// How much of `text` looks like ESC [ digits ; digits R: all of it (whole), its beginning (cut), or not (no).
enum class Looks { no, cut, whole };

Looks like_report(std::string_view text, std::size_t& length, StartPosition::Position& position) {
  std::size_t at = 0;
  for (const char wanted : {'\x1b', '['}) {
    if (at == text.size()) return Looks::cut;
    if (text[at++] != wanted) return Looks::no;
  }
  for (int* number : {&position.row, &position.col}) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789", at), text.size()) - at;
    if (at + digits == text.size() && digits <= 5) return Looks::cut;
    if (digits == 0 || digits > 5) return Looks::no;
    std::from_chars(text.data() + at, text.data() + at + digits, *number);
    at += digits;
    if (text[at++] != (number == &position.row ? ';' : 'R')) return Looks::no;
  }
  length = at;
  return Looks::whole;
}

constexpr std::string_view kColorReport = "\x1b]11;rgb:";
constexpr std::size_t kLongestColor = 40;

/// The same for the answer about the background: ESC ] 11 ; rgb:… ended by BEL or ESC \\.
Looks like_color(std::string_view text, std::size_t& length) {
  const std::size_t known = std::min(text.size(), kColorReport.size());
  if (text.substr(0, known) != kColorReport.substr(0, known)) return Looks::no;
  const std::size_t end = text.find_first_not_of("0123456789abcdefABCDEF/", known);
  if (std::min(end, text.size()) >= kLongestColor) return Looks::no;
  if (end == std::string_view::npos) return Looks::cut;
  if (text[end] == '\a') {
    length = end + 1;
    return Looks::whole;
  }
  if (text[end] != '\x1b') return Looks::no;
  if (end + 1 == text.size()) return Looks::cut;
  length = end + 2;
  return text[end + 1] == '\\' ? Looks::whole : Looks::no;
}

}  // namespace

std::optional<bool> reads_as_light(std::string_view report) {
  if (!report.starts_with(kColorReport)) return std::nullopt;
  report.remove_prefix(kColorReport.size());
  double parts[3] = {};
  for (double& part : parts) {
    unsigned value = 0;
    const auto [stopped, error] = std::from_chars(report.data(), report.data() + report.size(), value, 16);
    const auto digits = static_cast<std::size_t>(stopped - report.data());
    if (error != std::errc() || digits == 0 || digits > 4) return std::nullopt;
    part = value / static_cast<double>((1u << (4 * digits)) - 1);
    report.remove_prefix(std::min(digits + 1, report.size()));
  }
  return 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] > 0.5;
}

std::string StartPosition::filter(std::string_view bytes) {
  if (position_) return std::string(bytes);
  std::string text = std::exchange(held_, {}) + std::string(bytes);
  std::size_t at = text.find('\x1b');
  while (at != std::string::npos && !position_) {
    const std::string_view rest = std::string_view(text).substr(at);
    std::size_t length = 0;
    Position found;
    const Looks color = light_ ? Looks::no : like_color(rest, length);
    const Looks report = color == Looks::whole ? Looks::no : like_report(rest, length, found);
    if (color == Looks::cut || report == Looks::cut) {
      held_ = std::string(rest);
      text.resize(at);
      break;
    }
    if (color == Looks::whole) light_ = reads_as_light(rest.substr(0, length));
    if (report == Looks::whole) position_ = Position{std::max(found.row, 1) - 1, std::max(found.col, 1) - 1};
    if (length > 0)
      text.erase(at, length);
    else
      ++at;
    at = text.find('\x1b', at);
  }
  return text;
}

std::string StartPosition::flush() {
  return std::exchange(held_, {});
}

}  // namespace app
