#include "panel/panel.h"

#include <algorithm>

#include "base/utf8.h"
#include "panel/messages.h"
#include "panel/slash_command.h"
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
  if (input_.empty() && key.is(U'n')) {
    approval_.reset();
    add(Speaker::notice, say(Message::approval_not_run));
    return {PanelAction::Kind::denied, {}};
  }
  if (!by_word && input_.empty() && key.is(U'y')) {
    approval_.reset();
    return {PanelAction::Kind::approved, {}};
  }
  if (edit(key) != InputBox::Took::submit) return {};
  const std::string typed = input_.take();
  const bool confirmed = by_word && typed == approval_->confirm_word;
  approval_.reset();
  if (confirmed) return {PanelAction::Kind::approved, {}};
  add(Speaker::notice, say(Message::approval_not_run_because, {typed}));
  return {PanelAction::Kind::denied, typed};
}

PanelAction Panel::handle_key(const Key& key) {
  if (options_.hotkey.matches(key)) return {PanelAction::Kind::close, {}};
  const bool for_approval = approval_ && !key.is(U'c', terminal::kCtrl) && !key.is(KeyKind::escape) &&
                            key.kind != KeyKind::mouse && key.kind != KeyKind::page_up &&
                            key.kind != KeyKind::page_down;
  if (for_approval) return answer_approval(key);
  switch (edit(key)) {
    case InputBox::Took::yes:
      return {};
    case InputBox::Took::submit:
      return submit();
    case InputBox::Took::take_back:
      return {PanelAction::Kind::take_back, {}};
    case InputBox::Took::no:
      break;
  }
  if (key.is(KeyKind::escape)) return {PanelAction::Kind::close, {}};
  if (key.is(U'c', terminal::kCtrl)) return interrupt();
  if (key.is(U'l', terminal::kCtrl)) return {PanelAction::Kind::repaint, {}};
  if (key.is(KeyKind::page_up)) {
    transcript_.scroll(-std::max(body_rows_ - 1, 1));
  } else if (key.is(KeyKind::page_down)) {
    transcript_.scroll(std::max(body_rows_ - 1, 1));
  } else if (key.kind == KeyKind::mouse) {
    scroll_by_wheel(key.mouse);
  }
  return {};
}

InputBox::Took Panel::edit(const Key& key) {
  const InputBox::Took took = input_.handle_key(key);
  if (const std::size_t dropped = input_.take_dropped()) {
    add(Speaker::notice,
        say(Message::input_full, {std::to_string(TextBuffer::kLimit / 1024), std::to_string(dropped)}));
  }
  return took;
}

PanelAction Panel::submit() {
  const bool shell = input_.shell_mode();
  auto [text, shown] = input_.submit();
  transcript_.scroll_to_end();
  if (shell) return {PanelAction::Kind::shell, text.substr(1)};
  if (is_slash_command(text)) {
    add(Speaker::operator_, shown);
    return {PanelAction::Kind::slash, std::move(text)};
  }
  add(Speaker::operator_, shown);
  if (!options_.has_assistant) add(Speaker::notice, say(Message::nobody_answers));
  return {PanelAction::Kind::submitted, std::move(text)};
}

/// Ctrl+C with nothing in the input to drop: the operator wants out.
PanelAction Panel::interrupt() {
  return {activity_.empty() ? PanelAction::Kind::close : PanelAction::Kind::cancel, {}};
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

std::vector<Hint> Panel::hints() const {
  std::vector<Hint> hints;
  if (approval_) {
    if (approval_->confirm_word.empty()) hints.push_back({"y", say(Message::hint_run_it)});
    hints.push_back({"n", say(Message::hint_do_not)});
    hints.push_back({say(Message::hint_words_enter), say(Message::hint_no_and_why)});
  }
  const auto own = input_.hints();
  hints.insert(hints.end(), own.begin(), own.end());
  if (!activity_.empty() && input_.empty()) hints.push_back({"Ctrl+C", say(Message::hint_stop)});
  if (own.empty() && !approval_ && !input_.blank())
    hints.push_back({"Enter", say(options_.has_assistant ? Message::hint_ask : Message::hint_keep)});
  const bool escape_taken = std::any_of(own.begin(), own.end(), [](const Hint& hint) { return hint.key == "Esc"; });
  if (!escape_taken) hints.push_back({"Esc", say(Message::hint_close)});
  if (!input_.empty()) hints.push_back({"Ctrl+C", say(Message::hint_clear)});
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
  const int body_row = area.row + title;
  const int most = std::max((rows - hints - title - rule) / 2, 1);
  const int input_rows = input_.rows(std::max(text_width_of(area), 1), most);
  const int input_row = area.row + rows - hints - input_rows;
  body_rows_ = std::max(input_row - rule - body_row, 0);

  draw_body(frame, body_row, body_rows_, area);
  if (title) draw_title(frame, area.row, area);
  if (rule) draw_rule(frame, input_row - 1, area);
  if (hints) draw_hints(frame, input_row + input_rows, area);
  draw_input(frame, input_row, input_rows, area);
  input_.draw_popup(frame, {body_row, area.col + kMargin, {body_rows_, std::max(area.size.cols - 2 * kMargin, 1)}},
                    theme_);
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

void Panel::draw_input(terminal::Frame& frame, int row, int rows, const base::Area& area) {
  input_.draw(frame, {row, area.col + kMargin + kIndent, {rows, std::max(text_width_of(area), 1)}}, theme_);
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
