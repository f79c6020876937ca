#include "panel/title_bar.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/utf8.h"
#include "panel/messages.h"
#include "panel/text_wrap.h"

namespace panel {
namespace {

constexpr std::string_view kSpinner[] = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};
constexpr std::string_view kAsciiSpinner[] = {"|", "/", "-", "\\"};

/// One piece of the title; the higher `need`, the longer it stays when room gets scarce.
struct Piece {
  std::string text;
  terminal::Style style;
  int need = 0;
  bool right = false;
};

std::string spinner(int spin, bool unicode) {
  return std::string(unicode ? kSpinner[static_cast<std::size_t>(spin) % std::size(kSpinner)]
                             : kAsciiSpinner[static_cast<std::size_t>(spin) % std::size(kAsciiSpinner)]);
}

std::string elapsed_text(std::chrono::seconds elapsed) {
  const auto seconds = elapsed.count();
  if (seconds < 60) return std::to_string(seconds) + "s";
  return std::to_string(seconds / 60) + "m" + (seconds % 60 < 10 ? "0" : "") + std::to_string(seconds % 60) + "s";
}

std::string cost_text(double cost) {
  char text[32];
  std::snprintf(text, sizeof text, cost < 0.1 ? "$%.3f" : "$%.2f", cost);
  return text;
}

std::vector<Piece> pieces_of(const Status& status, const Theme& theme) {
  std::vector<Piece> pieces{{"jms", theme.title, 90}};
  if (!status.target.empty()) pieces.push_back({status.target, theme.title, 100});
  if (status.mode) pieces.push_back({mode_text(*status.mode), theme.style_of(*status.mode), 80});
  if (!status.model.empty()) pieces.push_back({status.model, theme.muted, 30});
  if (!status.activity.empty())
    pieces.push_back({spinner(status.spin, theme.line == "─") + " " + status.activity, theme.title, 70, true});
  if (status.elapsed) pieces.push_back({elapsed_text(*status.elapsed), theme.muted, 60, true});
  if (status.round > 0 && status.max_rounds > 0)
    pieces.push_back({std::to_string(status.round) + "/" + std::to_string(status.max_rounds), theme.muted, 50, true});
  if (status.context_percent)
    pieces.push_back({say(Message::title_context, {std::to_string(*status.context_percent)}),
                      *status.context_percent >= 80 ? theme.style_of(Role::warning) : theme.muted, 40, true});
  if (status.cost_usd) pieces.push_back({cost_text(*status.cost_usd), theme.muted, 20, true});
  return pieces;
}

/// Cells of one side with its dots and the blanks around it.
int side_width(const std::vector<Piece>& pieces, bool right, const Theme& theme) {
  int width = 0;
  for (const Piece& piece : pieces)
    if (piece.right == right) width += base::text_width(piece.text) + (width > 0 ? base::text_width(theme.dot) : 2);
  return width;
}

int draw_side(terminal::Frame& frame, int row, int col, int end, const std::vector<Piece>& pieces, bool right,
              const Theme& theme) {
  bool first = true;
  for (const Piece& piece : pieces) {
    if (piece.right != right) continue;
    col = frame.put_text(row, col, first ? " " : theme.dot, theme.rule, end - col);
    col = frame.put_text(row, col, piece.text, piece.style, end - col);
    first = false;
  }
  return first ? col : frame.put_text(row, col, " ", theme.rule, end - col);
}

}  // namespace

std::string mode_text(Mode mode) {
  switch (mode) {
    case Mode::ask:
      return say(Message::mode_ask);
    case Mode::read_only:
      return say(Message::mode_read_only);
    case Mode::automatic:
      return say(Message::mode_auto);
    case Mode::production:
      return say(Message::mode_production);
    case Mode::shell:
      return say(Message::mode_shell);
  }
  return {};
}

void draw_title(terminal::Frame& frame, int row, const base::Area& area, const Status& status, const Theme& theme) {
  for (int col = 0; col < area.size.cols; ++col) frame.put_text(row, area.col + col, theme.line, theme.rule, 1);
  const int room = area.size.cols - 4;  // Two cells of line on each side.
  if (room < 5) return;
  std::vector<Piece> pieces = pieces_of(status, theme);
  const auto needed = [&] { return side_width(pieces, false, theme) + side_width(pieces, true, theme); };
  while (needed() > room && pieces.size() > 1) {
    const auto least =
        std::min_element(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.need < b.need; });
    // A name that does not fit is shortened before what it stands beside goes.
    if (least->need >= 70) break;
    pieces.erase(least);
  }
  for (Piece& piece : pieces) {
    const int excess = needed() - room;
    if (excess <= 0) break;
    if (piece.text == "jms") continue;
    piece.text = shorten(piece.text, std::max(base::text_width(piece.text) - excess, 3), theme.ellipsis);
  }
  const int end = area.col + area.size.cols;
  draw_side(frame, row, area.col + 2, end - 2, pieces, false, theme);
  const int right = side_width(pieces, true, theme);
  if (right > 0 && needed() <= room) draw_side(frame, row, end - 2 - right, end - 2, pieces, true, theme);
}

}  // namespace panel
