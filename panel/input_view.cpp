// How the input looks: rows of text, chips, waiting inputs, the search line and the list of candidates.

#include <algorithm>

#include "base/grapheme.h"
#include "base/utf8.h"
#include "panel/input_box.h"
#include "panel/messages.h"
#include "panel/text_wrap.h"

namespace panel {
namespace {

constexpr int kSignCells = 2;  ///< Left of the field: the prompt's sign and a blank.

/// One line of it: a waiting input may have many.
std::string one_line(std::string_view text, const Theme& theme) {
  std::string result;
  for (const char byte : text) {
    if (byte == '\n') {
      result += theme.line_break;
    } else {
      result += byte == '\t' ? ' ' : byte;
    }
  }
  return result;
}

terminal::Style shell_style(const Theme& theme) {
  terminal::Style style = theme.prompt;
  if (!style.foreground.is_default()) style.foreground = terminal::Color::indexed(2);
  return style;
}

}  // namespace

std::string human_size(std::size_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  const bool mega = bytes >= 1024 * 1024;
  const std::size_t tenths = bytes * 10 / (mega ? 1024 * 1024 : 1024);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + (mega ? " MB" : " KB");
}

std::string chip_label(const std::string& content) {
  const auto breaks = std::count(content.begin(), content.end(), '\n');
  const auto lines = breaks + (content.ends_with('\n') ? 0 : 1);
  if (lines < 2) return say(Message::chip_bytes, {human_size(content.size())});
  return say(Message::chip_lines, {std::to_string(lines), human_size(content.size())});
}

InputLayout InputBox::layout(const TextBuffer& buffer, int width) const {
  return {buffer.text(), width, [&buffer, width](std::string_view grapheme) {
            if (const auto* content = buffer.chip(grapheme))
              return std::min(base::text_width(chip_label(*content)), std::max(width, 2));
            return grapheme == "\t" ? 1 : base::text_width(grapheme);
          }};
}

int InputBox::text_rows(int width) const {
  if (!search_) return static_cast<int>(layout(buffer_, width).rows().size());
  return 1 + (search_->match ? static_cast<int>(wrap_text(*search_->match, width).size()) : 0);
}

int InputBox::rows(int width, int most) {
  const int text = std::clamp(text_rows(width), 1, kMostRows);
  const int queue = std::min(static_cast<int>(queue_.size()), kMostQueueRows);
  return std::clamp(text + queue, 1, std::max(most, 1));
}

void InputBox::draw(terminal::Frame& frame, const base::Area& field, const Theme& theme) {
  const int rows = field.size.rows;
  if (rows <= 0 || field.size.cols <= 0) return;
  width_ = field.size.cols;
  // The text comes first: waiting inputs take what is left.
  const int text = std::clamp(std::min(text_rows(width_), kMostRows), 1, rows);
  const int queue = std::min(rows - text, std::min(static_cast<int>(queue_.size()), kMostQueueRows));
  draw_queue(frame, field.row, queue, field, theme);
  const base::Area below{field.row + queue, field.col, {rows - queue, field.size.cols}};
  search_ ? draw_search(frame, below, theme) : draw_text(frame, below, theme);
}

void InputBox::draw_queue(terminal::Frame& frame, int row, int rows, const base::Area& field,
                          const Theme& theme) const {
  const std::size_t hidden = queue_.size() - static_cast<std::size_t>(rows);
  for (int at = 0; at < rows; ++at) {
    std::string line = say(Message::queued, {one_line(queue_[hidden + static_cast<std::size_t>(at)], theme)});
    if (at == 0 && hidden > 0) line = "+" + std::to_string(hidden) + " " + line;
    frame.put_text(row + at, field.col, shorten(line, field.size.cols, theme.ellipsis), theme.muted, field.size.cols);
  }
}

void InputBox::draw_text(terminal::Frame& frame, const base::Area& field, const Theme& theme) {
  const InputLayout rows = layout(buffer_, field.size.cols);
  const auto cursor = rows.position_of(buffer_.cursor());
  const int total = static_cast<int>(rows.rows().size());
  // The text scrolls only when the cursor would leave the field, and never shows empty rows it does not need to.
  scroll_ = std::clamp(scroll_, cursor.row - field.size.rows + 1, cursor.row);
  scroll_ = std::clamp(scroll_, 0, std::max(total - field.size.rows, 0));
  for (int at = 0; at < field.size.rows && scroll_ + at < total; ++at)
    draw_row(frame, field.row + at, field, rows.rows()[static_cast<std::size_t>(scroll_ + at)], theme);
  const std::string_view sign = shell_mode() ? "$" : theme.prompt_sign;
  frame.put_text(field.row, field.col - kSignCells, scroll_ > 0 ? theme.ellipsis : sign,
                 shell_mode() ? shell_style(theme) : theme.prompt, 1);
  if (total - scroll_ > field.size.rows)
    frame.put_text(field.row + field.size.rows - 1, field.col - 1, theme.ellipsis, theme.muted, 1);
  frame.cursor = {};
  frame.cursor.row = field.row + cursor.row - scroll_;
  frame.cursor.col = std::min(field.col + std::min(cursor.col, field.size.cols - 1), frame.size.cols - 1);
}

void InputBox::draw_row(terminal::Frame& frame, int row, const base::Area& field, const InputLayout::Row& range,
                        const Theme& theme) const {
  const std::string_view text = buffer_.text();
  const int end = field.col + field.size.cols;
  int col = field.col;
  for (std::size_t at = range.from; at < range.to && col < end;) {
    const std::size_t next = base::grapheme_end(text, at);
    const std::string_view grapheme = text.substr(at, next - at);
    if (const auto* content = buffer_.chip(grapheme)) {
      col = frame.put_text(row, col, shorten(chip_label(*content), field.size.cols, theme.ellipsis), theme.key,
                           end - col);
    } else {
      const bool sign = at == 0 && shell_mode();
      col = frame.put_text(row, col, grapheme == "\t" ? " " : grapheme, sign ? shell_style(theme) : theme.text,
                           end - col);
    }
    at = next;
  }
}

void InputBox::draw_search(terminal::Frame& frame, const base::Area& field, const Theme& theme) {
  const std::string pattern = one_line(search_->pattern.expanded(), theme);
  frame.put_text(field.row, field.col - kSignCells, theme.prompt_sign, theme.prompt, 1);
  const int cursor =
      frame.put_text(field.row, field.col, say(Message::search_label, {pattern}), theme.key, field.size.cols);
  frame.cursor = {};
  frame.cursor.row = field.row;
  frame.cursor.col = std::min({cursor, field.col + field.size.cols - 1, frame.size.cols - 1});
  if (pattern.empty()) return;
  const std::string shown = search_->match ? *search_->match : say(Message::search_nothing, {pattern});
  if (field.size.rows == 1) {
    const int left = field.col + field.size.cols - cursor - 2;
    frame.put_text(field.row, cursor + 2, shorten(one_line(shown, theme), left, theme.ellipsis), theme.text, left);
    return;
  }
  int row = field.row + 1;
  for (const auto& line : wrap_text(shown, field.size.cols)) {
    if (row >= field.row + field.size.rows) break;
    frame.put_text(row++, field.col, line, search_->match ? theme.text : theme.muted, field.size.cols);
  }
}

void InputBox::draw_popup(terminal::Frame& frame, const base::Area& field, const Theme& theme) const {
  if (!popup_ || field.size.rows <= 0) return;
  const auto& candidates = popup_->completion.candidates;
  const int shown = std::min({static_cast<int>(candidates.size()), field.size.rows, kMostPopupRows});
  const int selected = static_cast<int>(popup_->selected);
  const int first = std::clamp(selected - shown + 1, 0, static_cast<int>(candidates.size()) - shown);
  int name_width = 0;
  for (const auto& candidate : candidates) name_width = std::max(name_width, base::text_width(candidate.text));
  name_width = std::min(name_width, field.size.cols * 2 / 3);
  for (int at = 0; at < shown; ++at) {
    const auto& candidate = candidates[static_cast<std::size_t>(first + at)];
    const int row = field.row + field.size.rows - shown + at;
    terminal::Style name = theme.key;
    terminal::Style about = theme.muted;
    if (first + at == selected) name.attributes |= terminal::kReverse, about.attributes |= terminal::kReverse;
    frame.fill(row, field.col, field.size.cols, first + at == selected ? about : theme.text);
    const std::string text = shorten(one_line(candidate.text, theme), name_width, theme.ellipsis);
    frame.put_text(row, field.col, text, name, name_width);
    const int left = field.size.cols - name_width - 2;
    if (left > 0)
      frame.put_text(row, field.col + name_width + 2, shorten(candidate.about, left, theme.ellipsis), about, left);
  }
}

}  // namespace panel
