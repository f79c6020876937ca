#include "app/assistant/attachments.h"

#include <algorithm>

namespace app {
namespace {

constexpr std::uint64_t kMostLines = 2'000;

std::string line_text(const terminal::Screen& screen, std::uint64_t line) {
  return screen.text(line, line + 1);
}

std::string without_blank_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace

std::string screen_text(const terminal::Screen& screen) {
  std::string text;
  for (int row = 0; row < screen.size().rows; ++row) {
    text += terminal::row_text(screen.row(row));
    if (!screen.row(row).wrapped) text += '\n';
  }
  return without_blank_end(std::move(text));
}

std::string last_command_text(const terminal::Screen& screen) {
  const std::uint64_t end = screen.end_line();
  const auto rows = static_cast<std::uint64_t>(screen.size().rows);
  const std::uint64_t at = end - std::min(end, rows) + static_cast<std::uint64_t>(screen.cursor().row);
  // An idle prompt has nothing behind it: what stands in the line is the prompt.
  const std::string prompt = without_blank_end(line_text(screen, at));
  if (prompt.empty() || screen.alternate()) return screen_text(screen);
  const std::uint64_t oldest = std::max(screen.first_line(), at - std::min(at, kMostLines));
  for (std::uint64_t line = at; line > oldest;) {
    const std::string text = without_blank_end(line_text(screen, --line));
    // The same prompt with a command after it; one with nothing after it was only Enter.
    if (text.size() > prompt.size() && text.starts_with(prompt)) return without_blank_end(screen.text(line, at));
  }
  return screen_text(screen);
}

}  // namespace app
