#include "panel/panel.h"

#include <algorithm>

#include "base/utf8.h"
#include "panel/messages.h"
#include "panel/text_wrap.h"

namespace panel {
namespace {

using terminal::Key;
using terminal::KeyKind;

constexpr int kMinHeight = 8;
constexpr int kWheelLines = 3;
constexpr int kMargin = 1;        ///< Blank cells left and right of the text.
constexpr int kIndent = 2;        ///< Text begins this far from the margin; signs stand before it.
constexpr int kRuleFromRows = 7;  ///< A lower panel has no rule above the input line: the row is worth more as text.

constexpr std::chrono::milliseconds kStrayKeys{500};

int text_width_of(const base::Area& area) {
  return area.size.cols - 2 * kMargin - kIndent;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\n") == std::string_view::npos;
}

}  // namespace

Panel::Panel(Options options) : options_(std::move(options)), theme_(make_theme(options_.theme)) {}

int Panel::height_for(base::Size terminal) {
  const int two_fifths = (terminal.rows * 2 + 2) / 5;
  const int most = terminal.rows > 1 ? terminal.rows - 1 : terminal.rows;
  return std::min(std::max(two_fifths, kMinHeight), most);
}

void Panel::ask_approval(const ApprovalView& view, std::chrono::steady_clock::time_point now) {
  approval_ = OpenApproval{view.confirm_word, now};
  transcript_.scroll_to_end();
  std::string text = say(Message::approval_run_on, {view.target, view.effect, view.reason}) + "\n" + view.command;
  if (!view.confirm_word.empty()) text += "\n" + say(Message::approval_type_word, {view.confirm_word});
  add(Speaker::notice, text);
}

/// Keys that were on their way when the question appeared do not answer it.
PanelAction Panel::answer_approval(const Key& key) {
  const bool stray = std::chrono::steady_clock::now() - approval_->shown < kStrayKeys;
  if (stray) return {};
  const bool by_word = !approval_->confirm_word.empty();
  if (editor_.empty() && key.is(U'n')) {
    approval_.reset();
    add(Speaker::notice, say(Message::approval_not_run));
    return {PanelAction::Kind::denied, {}};
  }
  if (!by_word && editor_.empty() && key.is(U'y')) {
    approval_.reset();
    return {PanelAction::Kind::approved, {}};
  }
  if (!key.is(KeyKind::enter)) {
    edit(key);
    return {};
  }
  const std::string typed = editor_.take();
  const bool confirmed = by_word && typed == approval_->confirm_word;
  if (!confirmed && is_blank(typed)) return {};
  approval_.reset();
  if (confirmed) return {PanelAction::Kind::approved, {}};
  add(Speaker::notice, say(Message::approval_not_run_because, {typed}));
  return {PanelAction::Kind::denied, typed};
}

PanelAction Panel::handle_key(const Key& key) {
  if (options_.hotkey.matches(key) || key.is(KeyKind::escape)) return {PanelAction::Kind::close, {}};
  if (approval_ && !key.is(U'c', terminal::kCtrl) && key.kind != KeyKind::mouse && key.kind != KeyKind::page_up &&
      key.kind != KeyKind::page_down)
    return answer_approval(key);
  if (key.is(KeyKind::enter) || key.is(U'j', terminal::kCtrl)) return submit();
  if (key.is(U'c', terminal::kCtrl)) return interrupt();
  if (key.is(U'l', terminal::kCtrl)) return {PanelAction::Kind::repaint, {}};
  if (key.is(KeyKind::page_up)) {
    transcript_.scroll(-std::max(body_rows_ - 1, 1));
  } else if (key.is(KeyKind::page_down)) {
    transcript_.scroll(std::max(body_rows_ - 1, 1));
  } else if (key.kind == KeyKind::mouse) {
    scroll_by_wheel(key.mouse);
  } else {
    edit(key);
  }
  return {};
}

void Panel::edit(const Key& key) {
  editor_.handle_key(key);
  if (!key.last) return;  // told once, when the whole paste is in
  if (const std::size_t dropped = editor_.take_dropped()) {
    add(Speaker::notice,
        say(Message::input_full, {std::to_string(LineEditor::kLimit / 1024), std::to_string(dropped)}));
  }
}

PanelAction Panel::submit() {
  if (is_blank(editor_.text())) return {};
  PanelAction action{PanelAction::Kind::submitted, editor_.take()};
  transcript_.scroll_to_end();
  add(Speaker::operator_, action.text);
  if (!options_.has_assistant) add(Speaker::notice, say(Message::nobody_answers));
  return action;
}

/// Ctrl+C does what it does in a shell: it drops the line. With nothing to drop the operator wants out.
PanelAction Panel::interrupt() {
  if (editor_.empty() && !activity_.empty()) return {PanelAction::Kind::cancel, {}};
  if (editor_.empty()) return {PanelAction::Kind::close, {}};
  editor_.take();
  return {};
}

void Panel::scroll_by_wheel(const terminal::Mouse& mouse) {
  if (mouse.action == terminal::MouseAction::wheel_up) transcript_.scroll(-kWheelLines);
  if (mouse.action == terminal::MouseAction::wheel_down) transcript_.scroll(kWheelLines);
}

void Panel::add(Speaker speaker, std::string_view text) {
  transcript_.add(speaker, text);
}

std::string Panel::welcome() const {
  const std::string& hotkey = options_.hotkey.name();
  std::string text = say(Message::welcome_separate) + "\n" + say(Message::welcome_keys, {hotkey}) + "\n";
  text += say(options_.has_assistant ? Message::welcome_ask : Message::welcome_no_model);
  return text;
}

std::vector<Panel::Hint> Panel::hints() const {
  std::vector<Hint> hints;
  if (approval_) {
    if (approval_->confirm_word.empty()) hints.push_back({"y", say(Message::hint_run_it)});
    hints.push_back({"n", say(Message::hint_do_not)});
    hints.push_back({say(Message::hint_words_enter), say(Message::hint_no_and_why)});
  }
  if (!activity_.empty() && editor_.empty()) hints.push_back({"Ctrl+C", say(Message::hint_stop)});
  if (!approval_ && !is_blank(editor_.text()))
    hints.push_back({"Enter", say(options_.has_assistant ? Message::hint_ask : Message::hint_keep)});
  hints.push_back({"Esc", say(Message::hint_close)});
  if (!editor_.empty()) hints.push_back({"Ctrl+C", say(Message::hint_clear)});
  if (transcript_.more_above()) hints.push_back({"PgUp", say(Message::hint_older)});
  if (transcript_.more_below()) hints.push_back({"PgDn", say(Message::hint_newer)});
  hints.push_back(
      {say(Message::hint_twice, {options_.hotkey.name()}), say(Message::hint_send, {options_.hotkey.name()})});
  return hints;
}

void Panel::draw(terminal::Frame& frame, const base::Area& area) {
  const int rows = area.size.rows;
  if (rows <= 0 || area.size.cols <= 0) return;
  for (int row = 0; row < rows; ++row) frame.fill(area.row + row, area.col, area.size.cols, theme_.text);

  // From the most needed row to the least: input, hints, title, rule, and what is left is the conversation.
  const bool hints = rows >= 3;
  const bool title = rows >= 2;
  const bool rule = rows >= kRuleFromRows;
  const int input_row = area.row + rows - 1 - hints;
  const int body_row = area.row + title;
  body_rows_ = std::max(input_row - rule - body_row, 0);

  draw_body(frame, body_row, body_rows_, area);
  if (title) draw_title(frame, area.row, area);
  if (rule) draw_rule(frame, input_row - 1, area);
  if (hints) draw_hints(frame, input_row + 1, area);
  draw_input(frame, input_row, area);
}

void Panel::draw_title(terminal::Frame& frame, int row, const base::Area& area) const {
  draw_rule(frame, row, area);
  const int room = area.size.cols - 6;  // two cells of line and a space on each side
  if (room < 3) return;
  std::string name = "jms";
  for (const std::string& part : {options_.target, options_.model, activity_})
    if (!part.empty()) name += std::string(theme_.dot) + part;
  int col = frame.put_text(row, area.col + 2, " ", theme_.title, 1);
  col = frame.put_text(row, col, shorten(name, room, theme_.ellipsis), theme_.title, room);
  frame.put_text(row, col, " ", theme_.title, 1);
}

void Panel::draw_rule(terminal::Frame& frame, int row, const base::Area& area) const {
  for (int col = 0; col < area.size.cols; ++col) frame.put_text(row, area.col + col, theme_.line, theme_.rule, 1);
}

void Panel::draw_body(terminal::Frame& frame, int row, int rows, const base::Area& area) {
  const int width = text_width_of(area);
  const int col = area.col + kMargin + kIndent;
  if (transcript_.empty()) {
    for (const auto& line : wrap_text(welcome(), width)) {
      if (rows-- <= 0) return;
      frame.put_text(row++, col, line, theme_.text, width);
    }
    return;
  }
  for (const auto& line : transcript_.view(width, rows)) {
    const bool question = line.speaker == Speaker::operator_;
    const auto& style = question ? theme_.question : line.speaker == Speaker::notice ? theme_.notice : theme_.text;
    if (question && line.first) frame.put_text(row, area.col + kMargin, theme_.prompt_sign, theme_.prompt, 1);
    frame.put_text(row++, col, line.text, style, width);
  }
}

void Panel::draw_input(terminal::Frame& frame, int row, const base::Area& area) {
  const int left = area.col + kMargin;
  const int field = left + kIndent;
  const int width = std::max(text_width_of(area), 1);
  const auto view = editor_.view(width, theme_.line_break);
  frame.put_text(row, left, theme_.prompt_sign, theme_.prompt, 1);
  if (view.more_left) frame.put_text(row, field - 1, theme_.ellipsis, theme_.muted, 1);
  const int cursor = frame.put_text(row, field, view.before, theme_.text, width);
  frame.put_text(row, cursor, view.after, theme_.text, field + width - cursor);
  if (view.more_right) frame.put_text(row, field + width, theme_.ellipsis, theme_.muted, 1);
  frame.cursor = {};
  frame.cursor.row = row;
  frame.cursor.col = std::min(cursor, area.col + area.size.cols - 1);
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
