// What the keys do, in the order in which the panel's parts may have them: what holds anywhere, then the search, the
// question that is open, and the input.

#include <algorithm>

#include "panel/insert.h"
#include "panel/messages.h"
#include "panel/panel.h"
#include "panel/slash_command.h"

namespace panel {
namespace {

using Kind = PanelAction::Kind;
using terminal::Key;
using terminal::KeyKind;

constexpr int kWheelLines = 3;

}  // namespace

PanelAction Panel::handle_key(const Key& key) {
  if (options_.hotkey.matches(key)) return {Kind::close};
  if (auto action = handle_anywhere(key)) return *action;
  if (search_) return handle_search(key);
  if (approval_) return handle_approval(key);
  if (limit_) return handle_limit(key);
  return handle_input(key);
}

std::optional<PanelAction> Panel::handle_anywhere(const Key& key) {
  if (key.kind == KeyKind::mouse) {
    handle_mouse(key.mouse);
    return PanelAction{};
  }
  if (scroll_key(key)) return PanelAction{};
  if (key.is(U'l', terminal::kCtrl)) return PanelAction{Kind::repaint};
  if (key.is(U'o', terminal::kCtrl)) {
    conversation_.toggle_fold();
    return PanelAction{};
  }
  if (key.is(U'f', terminal::kCtrl) && !search_ && input_.empty() && !approval_ && !limit_) {
    search_ = Search{};  // clang 14 takes no emplace() of a nested type with defaults.
    return PanelAction{};
  }
  if (key.kind == KeyKind::function && key.number == 11) {
    layout_.toggle_full();
    return PanelAction{Kind::layout};
  }
  if (key.kind == KeyKind::function && key.number == 10) {
    if (!layout_.toggle_split(terminal_))
      add(Speaker::notice, say(Message::split_too_narrow, {std::to_string(PanelLayout::kSplitFrom)}));
    return PanelAction{Kind::layout};
  }
  return key.modifiers == terminal::kAlt ? handle_alt(key) : std::nullopt;
}

std::optional<PanelAction> Panel::handle_alt(const Key& key) {
  if (key.kind == KeyKind::up || key.kind == KeyKind::down) {
    layout_.grow(key.kind == KeyKind::up ? 1 : -1, terminal_);
    return PanelAction{Kind::layout};
  }
  if (key.kind == KeyKind::enter && input_.empty() && !approval_ && !search_) {
    layout_.toggle_full();
    return PanelAction{Kind::layout};
  }
  if (key.kind != KeyKind::character) return std::nullopt;
  if (key.character == U't') return PanelAction{Kind::keyboard};
  if (key.character == U'r' && !rollback_.empty()) return insert(rollback_);
  if (key.character >= U'1' && key.character <= U'9') {
    const Code* code = conversation_.code(static_cast<int>(key.character - U'0'));
    return code ? insert(code->text) : PanelAction{};
  }
  if (key.character == U'c') {
    for (int number = 9; number > 0; --number)
      if (const Code* code = conversation_.code(number)) return PanelAction{Kind::copy, code->text};
    return PanelAction{};
  }
  return std::nullopt;
}

PanelAction Panel::insert(std::string_view code) {
  auto line = insertable(code);
  if (line) return {Kind::insert, std::move(*line)};
  add(Speaker::notice, line.error().message);
  return {};
}

/// Home and End are the input's while it has text; with Ctrl they are always the conversation's.
bool Panel::scroll_key(const Key& key) {
  const int page = std::max(rows_.body_rows - 1, 1);
  const bool free = search_ || (approval_ && approval_->step() == Approval::Step::keys) || input_.empty();
  const bool whole = key.modifiers == terminal::kCtrl || (key.modifiers == 0 && free && !search_);
  if (key.kind == KeyKind::page_up)
    conversation_.scroll(-page);
  else if (key.kind == KeyKind::page_down)
    conversation_.scroll(page);
  else if (key.kind == KeyKind::home && whole)
    conversation_.scroll_to_begin();
  else if (key.kind == KeyKind::end && whole)
    conversation_.scroll_to_end();
  else
    return false;
  return true;
}

void Panel::handle_mouse(const terminal::Mouse& mouse) {
  const bool inside = mouse.row >= rows_.body && mouse.row < rows_.body + rows_.body_rows && mouse.col >= drawn_.col;
  if (mouse.action == terminal::MouseAction::wheel_up) conversation_.scroll(-kWheelLines);
  if (mouse.action == terminal::MouseAction::wheel_down) conversation_.scroll(kWheelLines);
  if (mouse.action == terminal::MouseAction::press && mouse.button == 0 && inside)
    conversation_.toggle_fold_at(mouse.row - rows_.body);
}

PanelAction Panel::handle_approval(const Key& key) {
  if (key.is(U'c', terminal::kCtrl)) return {Kind::cancel};  // Never a yes, so it need not wait for a quiet keyboard.
  if (approval_->stray(now())) {
    // It was meant for what was being written, and goes there.
    if (key.kind == KeyKind::character || key.kind == KeyKind::backspace || key.kind == KeyKind::paste) edit(key);
    return {};
  }
  if (key.is(KeyKind::escape)) return approval_->step_back() ? PanelAction{} : PanelAction{Kind::close};
  const auto action = approval_->handle_key(key);
  return action ? finish_approval(*action) : PanelAction{};
}

PanelAction Panel::finish_approval(PanelAction action) {
  if (action.kind == Kind::none) return action;
  withdraw_approval();
  if (action.kind == Kind::denied)
    add(Speaker::notice,
        action.text.empty() ? say(Message::approval_not_run) : say(Message::approval_not_run_because, {action.text}));
  return action;
}

PanelAction Panel::handle_limit(const Key& key) {
  if (key.is(KeyKind::escape)) return {Kind::close};
  if (key.is(U'c', terminal::kCtrl)) return {Kind::cancel};
  // As with an approval: what was on its way is no answer.
  if (now() - std::exchange(limit_->last_key, now()) < Approval::kQuiet) {
    if (key.kind == KeyKind::character) edit(key);
    return {};
  }
  if (key.is(U'y')) {
    limit_.reset();
    return {Kind::go_on};
  }
  if (key.is(U'n')) {
    limit_.reset();
    return {Kind::stop_here};
  }
  return {};
}

PanelAction Panel::handle_search(const Key& key) {
  const bool leave = key.is(KeyKind::escape) || key.is(U'f', terminal::kCtrl) || key.is(U'c', terminal::kCtrl);
  if (leave) {
    search_.reset();
    conversation_.end_search();
    return {};
  }
  using Direction = Conversation::Direction;
  const std::string before = search_->field.text();
  if (key.is(KeyKind::enter) || key.is(KeyKind::up)) {
    search_->nothing = !conversation_.find(before, Direction::older);
  } else if (key.is(KeyKind::down)) {
    search_->nothing = !conversation_.find(before, Direction::newer);
  } else {
    search_->field.handle_key(key);
    if (search_->field.text() == before) return {};
    conversation_.end_search();
    search_->nothing = !search_->field.empty() && !conversation_.find(search_->field.text(), Direction::older);
  }
  return {};
}

PanelAction Panel::handle_input(const Key& key) {
  if (key.is(KeyKind::enter) && input_.empty() && !input_.searching()) {
    conversation_.toggle_fold();
    return {};
  }
  switch (edit(key)) {
    case InputBox::Took::yes:
      return {};
    case InputBox::Took::submit:
      return submit();
    case InputBox::Took::take_back:
      return {Kind::take_back};
    case InputBox::Took::no:
      break;
  }
  if (key.is(KeyKind::escape)) return {Kind::close};
  // With nothing in the input to drop the operator wants out, or the assistant to stop.
  if (key.is(U'c', terminal::kCtrl)) return {busy() || local_command_ ? Kind::cancel : Kind::close};
  return {};
}

InputBox::Took Panel::edit(const Key& key) {
  const InputBox::Took took = input_.handle_key(key);
  if (const std::size_t dropped = input_.take_dropped())
    add(Speaker::notice,
        say(Message::input_full, {std::to_string(TextBuffer::kLimit / 1024), std::to_string(dropped)}));
  return took;
}

PanelAction Panel::submit() {
  const bool shell = input_.shell_mode();
  auto [text, shown] = input_.submit();
  conversation_.scroll_to_end();
  if (shell) return {Kind::shell, text.substr(1)};
  const bool slash = is_slash_command(text);
  // What waits is shown as waiting, and in the conversation when it is read.
  if (!busy() || slash) add(Speaker::operator_, shown);
  if (slash) return {Kind::slash, std::move(text)};
  if (!options_.has_assistant) add(Speaker::notice, say(Message::nobody_answers));
  return {Kind::submitted, std::move(text)};
}

}  // namespace panel
