#include "panel/target_picker.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "base/words.h"
#include "panel/fuzzy.h"
#include "panel/messages.h"
#include "panel/text_wrap.h"

namespace panel {
namespace {

using terminal::Key;
using terminal::KeyKind;

constexpr int kListMargin = 1;
constexpr int kListIndent = 2;
constexpr int kTargetCells = 36;       ///< The column of names, where there is room for more.
constexpr int kGuidanceFromRows = 14;  ///< A lower terminal gets one line of it.
constexpr int kWheelRows = 3;

}  // namespace

TargetPicker::TargetPicker(std::vector<PickerGroup> groups, ThemeOptions theme, std::string guidance)
    : groups_(std::move(groups)), theme_(make_theme(theme)), guidance_(std::move(guidance)) {
  narrow();
}

TargetPicker::Outcome TargetPicker::handle_key(const Key& key) {
  if (key.is(KeyKind::escape) || key.is(U'c', terminal::kCtrl) || key.is(U'd', terminal::kCtrl)) return Outcome::left;
  if (key.is(U'l', terminal::kCtrl)) return Outcome::repaint;
  if (key.kind == KeyKind::enter) return rows_.empty() ? Outcome::none : Outcome::chosen;
  if (key.is(KeyKind::up) || key.is(U'p', terminal::kCtrl) || key.is(KeyKind::tab, terminal::kShift)) {
    move(-1);
  } else if (key.is(KeyKind::down) || key.is(U'n', terminal::kCtrl) || key.is(KeyKind::tab)) {
    move(1);
  } else if (key.is(KeyKind::page_up)) {
    move(-page_);
  } else if (key.is(KeyKind::page_down)) {
    move(page_);
  } else if (key.kind == KeyKind::mouse) {
    if (key.mouse.action == terminal::MouseAction::wheel_up) move(-kWheelRows);
    if (key.mouse.action == terminal::MouseAction::wheel_down) move(kWheelRows);
  } else {
    const std::string before = filter_.text();
    filter_.handle_key(key);
    if (filter_.text() != before) narrow();
  }
  return Outcome::none;
}

void TargetPicker::move(int by) {
  if (rows_.empty()) return;
  const auto last = static_cast<int>(rows_.size()) - 1;
  selected_ = static_cast<std::size_t>(std::clamp(static_cast<int>(selected_) + by, 0, last));
}

/// Groups stay in their order; the mark goes to what fits best, wherever it stands.
void TargetPicker::narrow() {
  rows_.clear();
  for (std::size_t number = 0; number < groups_.size(); ++number) add_matches(groups_[number], number);
  const auto best =
      std::max_element(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.score < b.score; });
  selected_ = rows_.empty() || filter_.empty() ? 0 : static_cast<std::size_t>(best - rows_.begin());
  scroll_ = 0;
  const std::string typed = filter_.expanded();
  const bool listed =
      std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) { return row.entry.target == typed; });
  const bool a_name = !typed.empty() && typed.find_first_of(" \n\t") == std::string::npos;
  if (a_name && !listed) rows_.push_back({.entry = {.target = typed}, .group = groups_.size(), .typed = true});
}

void TargetPicker::add_matches(const PickerGroup& group, std::size_t number) {
  const std::string pattern = filter_.expanded();
  const auto first = static_cast<std::ptrdiff_t>(rows_.size());
  for (const auto& entry : group.entries) {
    // The name counts more than what is known about it.
    const auto by_name = fuzzy_score(pattern, entry.target);
    const auto by_all = fuzzy_score(
        pattern, entry.target + " " + entry.user + " " + entry.hops + " " + base::joined(entry.labels, " "));
    if (!by_all) continue;
    rows_.push_back({.entry = entry, .group = number, .score = by_name ? *by_name * 2 : *by_all});
  }
  std::stable_sort(rows_.begin() + first, rows_.end(), [](const Row& a, const Row& b) { return a.score > b.score; });
}

void TargetPicker::draw(terminal::Frame& frame) {
  const auto [rows, cols] = frame.size;
  for (int row = 0; row < rows; ++row) frame.fill(row, 0, cols, theme_.text);
  const int field = kListMargin + kListIndent;
  const int width = std::max(cols - field - kListMargin, 1);
  int top = 0;
  if (rows >= 4) frame.put_text(top++, kListMargin, say(Message::picker_title), theme_.title, cols - kListMargin);
  frame.put_text(top, kListMargin, theme_.prompt_sign, theme_.prompt, 1);
  const std::string before = filter_.text().substr(0, filter_.cursor());
  const int cursor = frame.put_text(top, field, before, theme_.text, width);
  frame.put_text(top, cursor, filter_.text().substr(filter_.cursor()), theme_.text, field + width - cursor);
  frame.cursor = {};
  frame.cursor.row = top;
  frame.cursor.col = std::min(cursor, cols - 1);
  int bottom = rows;
  if (rows >= 5) draw_hints(frame, --bottom);
  if (rows >= 8) bottom = draw_guidance(frame, bottom);
  draw_list(frame, top + 1, bottom);
}

/// The first row that it takes.
int TargetPicker::draw_guidance(terminal::Frame& frame, int bottom) const {
  if (guidance_.empty()) return bottom;
  const int width = std::max(frame.size.cols - 2 * kListMargin, 1);
  std::vector<std::string> lines = wrap_text(guidance_, width);
  if (frame.size.rows < kGuidanceFromRows) lines = {shorten(guidance_, width, theme_.ellipsis)};
  const int top = bottom - static_cast<int>(lines.size());
  for (std::size_t at = 0; at < lines.size(); ++at)
    frame.put_text(top + static_cast<int>(at), kListMargin, lines[at], theme_.notice, width);
  return top;
}

void TargetPicker::draw_list(terminal::Frame& frame, int top, int bottom) {
  const int room = bottom - top;
  page_ = std::max(room - 1, 1);
  if (room <= 0) return;
  const int width = std::max(frame.size.cols - 2 * kListMargin, 1);
  if (rows_.empty()) {
    for (const auto& line : wrap_text(say(Message::picker_empty), width))
      if (top < bottom) frame.put_text(top++, kListMargin, line, theme_.muted, width);
    return;
  }
  // A line for each group's title, one for each entry.
  std::vector<std::pair<bool, std::size_t>> lines;  // is a title; group or row
  int selected_line = 0;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (row == 0 || rows_[row].group != rows_[row - 1].group) lines.emplace_back(true, rows_[row].group);
    if (row == selected_) selected_line = static_cast<int>(lines.size());
    lines.emplace_back(false, row);
  }
  // The title above the first entry comes along when there is room for both.
  const bool with_title = selected_line > 0 && lines[static_cast<std::size_t>(selected_line - 1)].first && room > 1;
  scroll_ = std::clamp(scroll_, selected_line - room + 1, selected_line - (with_title ? 1 : 0));
  scroll_ = std::clamp(scroll_, 0, std::max(static_cast<int>(lines.size()) - room, 0));
  for (int at = 0; at < room && scroll_ + at < static_cast<int>(lines.size()); ++at) {
    const auto [title, number] = lines[static_cast<std::size_t>(scroll_ + at)];
    if (!title) {
      draw_entry(frame, top + at, number);
      continue;
    }
    const std::string text = number < groups_.size() ? groups_[number].title : say(Message::picker_typed);
    frame.put_text(top + at, kListMargin, text, theme_.muted, width);
  }
}

void TargetPicker::draw_entry(terminal::Frame& frame, int line, std::size_t number) const {
  const Row& row = rows_[number];
  const int left = kListMargin + kListIndent;
  const int width = std::max(frame.size.cols - left - kListMargin, 1);
  const bool marked = number == selected_;
  terminal::Style name = row.typed ? theme_.text : theme_.key;
  terminal::Style about = theme_.muted;
  if (marked) {
    name.attributes |= terminal::kReverse;
    about.attributes |= terminal::kReverse;
    frame.fill(line, kListMargin, frame.size.cols - 2 * kListMargin, about);
  }
  const std::string text = row.typed ? say(Message::picker_open_typed, {row.entry.target}) : row.entry.target;
  const std::string more = details(row);
  const int names = more.empty() ? width : std::min({width, std::max(width * 3 / 5, 8), kTargetCells});
  frame.put_text(line, left, shorten(text, names, theme_.ellipsis), name, names);
  const int rest = width - names - 1;
  if (rest > 2) frame.put_text(line, left + names + 1, shorten(more, rest, theme_.ellipsis), about, rest);
}

std::string TargetPicker::details(const Row& row) const {
  std::vector<std::string> parts = {row.entry.user};
  if (!row.entry.hops.empty()) parts.push_back(say(Message::picker_via, {row.entry.hops}));
  parts.push_back(base::joined(row.entry.labels, " "));
  return base::joined(parts, theme_.dot);
}

void TargetPicker::draw_hints(terminal::Frame& frame, int line) const {
  const int end = frame.size.cols - kListMargin;
  int col = kListMargin;
  const std::vector<Hint> hints = {{"Enter", say(Message::hint_open)},
                                   {"Esc", say(Message::hint_leave)},
                                   {"Up/Down", say(Message::hint_choose)},
                                   {say(Message::hint_type), say(Message::hint_type_to_search)}};
  for (const auto& [key, does] : hints) {
    const bool first = col == kListMargin;
    const int needed = base::text_width(key) + 1 + base::text_width(does) + (first ? 0 : base::text_width(theme_.dot));
    if (needed > end - col) continue;  // shown whole or not at all
    if (!first) col = frame.put_text(line, col, theme_.dot, theme_.muted, end - col);
    col = frame.put_text(line, col, key, theme_.key, end - col);
    col = frame.put_text(line, col, " " + does, theme_.muted, end - col);
  }
}

}  // namespace panel
