// How the panel looks.

#include <algorithm>

#include "base/utf8.h"
#include "base/words.h"
#include "panel/messages.h"
#include "panel/panel.h"
#include "panel/text_wrap.h"

namespace panel {
namespace {

constexpr int kMargin = 1;        ///< Blank cells left and right of the text.
constexpr int kIndent = 2;        ///< Text begins this far from the margin; signs stand before it.
constexpr int kRuleFromRows = 7;  ///< A lower panel has no rule above the input line: the row is worth more as text.

int text_width_of(const base::Area& area) {
  return std::max(area.size.cols - 2 * kMargin - kIndent, 1);
}

}  // namespace

InputBox& Panel::field() {
  if (search_) return search_->field;
  const bool answering =
      approval_ && (approval_->step() == Approval::Step::confirm || approval_->step() == Approval::Step::note ||
                    approval_->step() == Approval::Step::edit);
  return answering ? approval_->field() : input_;
}

/// What the field is for, when it is not the ordinary input.
std::string Panel::field_label() const {
  if (search_) return say(search_->nothing ? Message::find_nothing : Message::find_label);
  if (approval_) return approval_->prompt();
  if (limit_) return say(Message::limit_ask);
  return {};
}

std::string Panel::prompt_line() const {
  const std::string label = field_label();
  if (label.empty()) return "jms> ";
  std::string keys;
  std::vector<Hint> shown;
  add_state_hints(shown);
  for (const auto& [key, does] : shown) keys += (keys.empty() ? "" : ", ") + key + " " + does;
  return label + " [" + keys + "] ";
}

std::string Panel::welcome() const {
  const std::string& hotkey = options_.hotkey.name();
  std::string text = say(Message::welcome_separate) + "\n" + say(Message::welcome_keys, {hotkey}) + "\n";
  text += say(options_.has_assistant ? Message::welcome_ask : Message::welcome_no_model);
  return text;
}

std::vector<Hint> Panel::hints() const {
  if (keyboard_above_)
    return {{"Alt+T", say(Message::hint_back_to_panel)}, {options_.hotkey.name(), say(Message::hint_close)}};
  if (search_)
    return {{"Enter", say(Message::hint_older_match)},
            {"Down", say(Message::hint_newer)},
            {"Esc", say(Message::hint_back)}};
  std::vector<Hint> hints;
  add_state_hints(hints);
  const bool escape_taken = std::any_of(hints.begin(), hints.end(), [](const Hint& hint) { return hint.key == "Esc"; });
  if (!escape_taken) hints.push_back({"Esc", say(Message::hint_close)});
  if (!approval_ && !limit_ && !input_.empty()) hints.push_back({"Ctrl+C", say(Message::hint_clear)});
  if (conversation_.more_above()) hints.push_back({"PgUp", say(Message::hint_older)});
  if (conversation_.below() > 0) hints.push_back({"PgDn", say(Message::hint_newer)});
  if (conversation_.can_fold()) hints.push_back({"Ctrl+O", say(Message::hint_unfold)});
  if (conversation_.code(1)) hints.push_back({"Alt+1", say(Message::hint_insert)});
  if (!rollback_.empty()) hints.push_back({"Alt+R", say(Message::hint_rollback)});
  hints.push_back({"Alt+T", say(Message::hint_keyboard_above)});
  hints.push_back({"F11", say(Message::hint_full)});
  hints.push_back(
      {say(Message::hint_twice, {options_.hotkey.name()}), say(Message::hint_send, {options_.hotkey.name()})});
  return hints;
}

void Panel::add_state_hints(std::vector<Hint>& hints) const {
  if (approval_) {
    const auto own = approval_->hints();
    hints.insert(hints.end(), own.begin(), own.end());
  } else if (limit_) {
    hints.push_back({"y", say(Message::hint_go_on)});
    hints.push_back({"n", say(Message::hint_stop)});
  } else {
    hints = input_.hints();
    if (hints.empty() && !input_.blank())
      hints.push_back({"Enter", say(!options_.has_assistant ? Message::hint_keep
                                    : busy()                ? Message::hint_queue
                                                            : Message::hint_ask)});
  }
  if (busy() && (approval_ || input_.empty())) hints.push_back({"Ctrl+C", say(Message::hint_stop)});
}

Panel::Rows Panel::place_rows(const base::Area& area) {
  // From the most needed row to the least: input, hints, title, rule, and what is left is the conversation.
  const int rows = area.size.rows;
  Rows placed;
  placed.hints = rows >= 3;
  placed.title = rows >= 2;
  placed.rule = rows >= kRuleFromRows;
  placed.body = area.row + placed.title;
  const int most = std::max((rows - placed.hints - placed.title - placed.rule) / 2, 1);
  placed.input_rows = field().rows(text_width_of(area), most);
  placed.input = area.row + rows - placed.hints - placed.input_rows;
  placed.body_rows = std::max(placed.input - placed.rule - placed.body, 0);
  return placed;
}

void Panel::draw(terminal::Frame& frame, const base::Area& whole) {
  if (whole.size.rows <= 0 || whole.size.cols <= 0) return;
  base::Area area = whole;
  for (int row = 0; row < area.size.rows; ++row) frame.fill(area.row + row, area.col, area.size.cols, theme_.text);
  if (area.col > 0 && area.size.cols > 10) {  // Beside the session: a line between them.
    for (int row = 0; row < area.size.rows; ++row)
      frame.put_text(area.row + row, area.col, theme_.signs.vertical, theme_.rule, 1);
    ++area.col;
    --area.size.cols;
  }
  drawn_ = area;
  rows_ = place_rows(area);
  draw_body(frame, rows_, area);
  if (rows_.title) {
    Status status = status_;
    if (input_.shell_mode() && !approval_) status.mode = Mode::shell;
    if (busy()) status.elapsed = std::chrono::duration_cast<std::chrono::seconds>(now() - busy_since_);
    draw_title(frame, area.row, area, status, theme_);
  }
  if (rows_.rule) draw_rule(frame, rows_.input - 1, area);
  if (rows_.hints) draw_hints(frame, rows_.input + rows_.input_rows, area);
  draw_input(frame, rows_, area);
}

/// The line above the input: what the input is for just now, and how much there is below the view.
void Panel::draw_rule(terminal::Frame& frame, int row, const base::Area& area) const {
  const bool shell = input_.shell_mode() && !approval_ && !search_;
  const auto& style = shell ? theme_.style_of(Mode::shell) : theme_.rule;
  for (int col = 0; col < area.size.cols; ++col) frame.put_text(row, area.col + col, theme_.line, style, 1);
  const int end = area.col + area.size.cols - 2;
  // Where nothing is typed, the input's own row says it.
  const bool typing = search_ || (approval_ && approval_->step() != Approval::Step::keys) || !input_.empty();
  const std::string label = typing ? field_label() : std::string();
  int col = area.col + 2;
  if (!label.empty() && area.size.cols > 12) {
    const int room = area.size.cols - 6;
    col = frame.put_text(row, col, " " + shorten(label, room, theme_.ellipsis) + " ", theme_.style_of(Role::warning),
                         room + 2);
  }
  if (conversation_.below() <= 0) return;
  const std::string more = " " + std::string(theme_.signs.more_below) + " " +
                           say(Message::more_below, {std::to_string(conversation_.below())}) + " ";
  const int width = base::text_width(more);
  if (end - width > col) frame.put_text(row, end - width, more, theme_.key, width);
}

void Panel::draw_body(terminal::Frame& frame, const Rows& rows, const base::Area& area) {
  const int width = text_width_of(area);
  const int col = area.col + kMargin + kIndent;
  if (conversation_.empty()) {
    int row = rows.body;
    for (const auto& line : wrap_text(welcome(), width)) {
      if (row >= rows.body + rows.body_rows) return;
      frame.put_text(row++, col, line, theme_.text, width);
    }
    return;
  }
  int row = rows.body;
  for (const auto& shown : conversation_.view(width, rows.body_rows)) draw_row(frame, row++, col, width, shown);
}

void Panel::draw_row(terminal::Frame& frame, int row, int col, int width, const Conversation::Row& shown) {
  if (!shown.line) return;
  if (shown.first)
    frame.put_text(row, col - kIndent, shown.block->sign(theme_.signs), theme_.style_of(shown.block->sign_role()),
                   kIndent);
  int at = col;
  for (const Span& span : shown.line->spans)
    at = frame.put_text(row, at, span.text, theme_.style_of(span), col + width - at);
  if (search_ && !search_->field.empty()) mark_found(frame, row, col, width, shown);
}

void Panel::mark_found(terminal::Frame& frame, int row, int col, int width, const Conversation::Row& shown) {
  const std::string text = text_of(*shown.line);
  const std::string lower = base::lower_case(text);
  const std::string wanted = base::lower_case(search_->field.text());
  for (auto at = lower.find(wanted); at != std::string::npos; at = lower.find(wanted, at + wanted.size())) {
    const int from = col + base::text_width(std::string_view(text).substr(0, at));
    terminal::Style style = theme_.found;
    if (shown.found) style.attributes |= terminal::kBold | terminal::kUnderlineSingle;
    frame.put_text(row, from, std::string_view(text).substr(at, wanted.size()), style, col + width - from);
  }
}

void Panel::draw_input(terminal::Frame& frame, const Rows& rows, const base::Area& area) {
  const base::Area place{rows.input, area.col + kMargin + kIndent, {rows.input_rows, text_width_of(area)}};
  const terminal::Cursor before = frame.cursor;
  InputBox& box = field();
  const bool only_keys = (approval_ && &box == &input_ && !search_) || (limit_ && !search_);
  if (only_keys && input_.empty()) {
    // Nothing is typed here now: the row says what is asked, also where there is no rule to say it.
    const std::string text = shorten(field_label(), place.size.cols, theme_.ellipsis);
    frame.put_text(place.row, place.col - kIndent, "?", theme_.style_of(Role::warning), 1);
    const int col = frame.put_text(place.row, place.col, text, theme_.style_of(Role::warning), place.size.cols);
    frame.cursor = {};
    frame.cursor.row = place.row;
    frame.cursor.col = std::min(col, area.col + area.size.cols - 1);
  } else {
    box.draw(frame, place, theme_);
  }
  if (&box == &input_ && !only_keys)
    box.draw_popup(frame, {rows.body, area.col + kMargin, {rows.body_rows, std::max(area.size.cols - 2 * kMargin, 1)}},
                   theme_);
  if (keyboard_above_) frame.cursor = before;
}

void Panel::draw_hints(terminal::Frame& frame, int row, const base::Area& area) const {
  const int end = area.col + area.size.cols - kMargin;
  int col = area.col + kMargin;
  bool first = true;
  for (const auto& [key, does] : hints()) {
    const int needed = base::text_width(key) + 1 + base::text_width(does) + (first ? 0 : base::text_width(theme_.dot));
    if (needed > end - col) continue;  // a hint is shown whole or not at all
    if (!first) col = frame.put_text(row, col, theme_.dot, theme_.muted, end - col);
    col = frame.put_text(row, col, key, theme_.key, end - col);
    col = frame.put_text(row, col, " ", theme_.muted, end - col);
    col = frame.put_text(row, col, does, theme_.muted, end - col);
    first = false;
  }
}

}  // namespace panel
