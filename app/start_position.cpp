#include "app/start_position.h"

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
    const auto [stopped, error] = std::from_chars(text.data() + at, text.data() + text.size(), *number);
    const auto digits = static_cast<std::size_t>(stopped - text.data()) - at;
    at += digits;
    if (at == text.size() && digits <= 5) return Looks::cut;
    if (error != std::errc() || digits == 0 || digits > 5) return Looks::no;
    if (text[at++] != (number == &position.row ? ';' : 'R')) return Looks::no;
  }
  length = at;
  return Looks::whole;
}

}  // namespace

std::string StartPosition::filter(std::string_view bytes) {
  if (position_) return std::string(bytes);
  std::string text = std::exchange(held_, {}) + std::string(bytes);
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b', at + 1)) {
    std::size_t length = 0;
    Position found;
    const Looks looks = like_report(std::string_view(text).substr(at), length, found);
    if (looks == Looks::cut) {
      held_ = text.substr(at);
      text.resize(at);
      break;
    }
    if (looks == Looks::whole) {
      position_ = Position{found.row - 1, found.col - 1};
      text.erase(at, length);
      break;
    }
  }
  return text;
}

std::string StartPosition::flush() {
  return std::exchange(held_, {});
}

}  // namespace app
