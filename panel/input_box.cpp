#include "panel/input_box.h"

#include <algorithm>
#include <utility>

#include "base/grapheme.h"
#include "base/utf8.h"
#include "panel/messages.h"

namespace panel {
namespace {

using terminal::Key;
using terminal::KeyKind;

/// Ends in a backslash that is not itself escaped.
bool ends_open(std::string_view text) {
  const auto last = text.find_last_not_of('\\');
  const std::size_t slashes = text.size() - (last == std::string_view::npos ? 0 : last + 1);
  return slashes % 2 == 1;
}

}  // namespace

InputBox::Took InputBox::handle_key(const Key& key) {
  if (key.kind == KeyKind::paste) return handle_paste(key);
  if (search_) return handle_search(key);
  if (popup_)
    if (const Took took = handle_popup(key); took != Took::no) return took;
  if (key.kind == KeyKind::enter || key.is(U'j', terminal::kCtrl)) return enter(key);
  if (key.is(KeyKind::up) || key.is(U'p', terminal::kCtrl)) return vertical(-1);
  if (key.is(KeyKind::down) || key.is(U'n', terminal::kCtrl)) return vertical(1);
  if (key.is(KeyKind::tab)) return complete();
  if (key.is(KeyKind::escape)) return escape();
  if (key.is(U'c', terminal::kCtrl)) return clear();
  if (key.is(U'r', terminal::kCtrl)) {
    search_ = Search{};  // clang 14 takes no emplace() of a nested type with defaults.
    return Took::yes;
  }
  // In an empty input these are free for the conversation above.
  if (empty() && (key.kind == KeyKind::home || key.kind == KeyKind::end)) return Took::no;
  const std::string before = buffer_.text();
  if (!buffer_.handle_key(key)) return Took::no;
  if (buffer_.text() != before) {
    history_.leave();
    text_changed();
  } else {
    popup_.reset();
  }
  return Took::yes;
}

/// The list of candidates follows what is typed.
void InputBox::text_changed() {
  popup_.reset();
  if (shell_mode()) return;
  if (auto found = completer_.suggest(buffer_.text(), buffer_.cursor())) popup_.emplace(Popup{std::move(*found)});
}

InputBox::Took InputBox::handle_paste(const Key& key) {
  const std::string_view fitting = base::cut_utf8(key.text, TextBuffer::kLimit - pasting_.size());
  pasting_ += fitting;
  dropped_ += key.text.size() - fitting.size();
  if (!key.last) return Took::yes;
  popup_.reset();
  history_.leave();
  TextBuffer& into = search_ ? search_->pattern : buffer_;
  into.paste(std::exchange(pasting_, {}));
  if (search_) find();
  return Took::yes;
}

InputBox::Took InputBox::handle_popup(const Key& key) {
  const auto count = popup_->completion.candidates.size();
  if (key.is(KeyKind::escape)) {
    popup_.reset();
  } else if (key.is(KeyKind::tab) || (key.is(KeyKind::enter) && popup_->moved)) {
    accept();
  } else if (key.is(KeyKind::down) || key.is(U'n', terminal::kCtrl)) {
    popup_->selected = (popup_->selected + 1) % count;
    popup_->moved = true;
  } else if (key.is(KeyKind::up) || key.is(U'p', terminal::kCtrl)) {
    popup_->selected = (popup_->selected + count - 1) % count;
    popup_->moved = true;
  } else {
    return Took::no;
  }
  return Took::yes;
}

void InputBox::accept() {
  const Popup popup = *std::exchange(popup_, std::nullopt);
  std::string text = popup.completion.candidates[popup.selected].text;
  const bool at_end = popup.completion.to == buffer_.text().size();
  const bool goes_on = text.starts_with('@') || text.starts_with('/');
  if (goes_on && at_end) text += ' ';
  buffer_.replace(popup.completion.from, popup.completion.to, text);
  // A command is followed by its arguments; they are offered at once.
  if (text.starts_with('/')) text_changed();
}

InputBox::Took InputBox::complete() {
  auto found = completer_.complete(buffer_.text(), buffer_.cursor(), history_);
  if (!found || shell_mode()) return Took::yes;
  const bool only = found->candidates.size() == 1;
  popup_.emplace(Popup{std::move(*found)});
  if (only) accept();
  return Took::yes;
}

InputBox::Took InputBox::enter(const Key& key) {
  const bool new_line = key.modifiers == terminal::kAlt || key.modifiers == terminal::kShift;
  if (new_line) {
    if (empty()) return Took::no;
    buffer_.insert("\n");
    popup_.reset();
    return Took::yes;
  }
  popup_.reset();
  const std::string& text = buffer_.text();
  if (buffer_.cursor() == text.size() && ends_open(text)) {
    buffer_.replace(text.size() - 1, text.size(), "\n");
    return Took::yes;
  }
  return blank() ? Took::yes : Took::submit;
}

InputBox::Took InputBox::vertical(int direction) {
  const InputLayout rows = layout(buffer_, width_);
  const auto at = rows.position_of(buffer_.cursor());
  const int wanted = at.row + direction;
  const bool inside = wanted >= 0 && wanted < static_cast<int>(rows.rows().size());
  if (inside && !(history_.browsing() && buffer_.cursor() == buffer_.text().size())) {
    buffer_.move_to(rows.offset_at(wanted, at.col));
    return Took::yes;
  }
  if (direction < 0 && empty() && !queue_.empty() && !history_.browsing()) return Took::take_back;
  if (const auto found = direction < 0 ? history_.older(buffer_.text()) : history_.newer()) buffer_.set_text(*found);
  popup_.reset();
  return Took::yes;
}

InputBox::Took InputBox::escape() {
  if (!shell_mode()) return Took::no;
  return clear();
}

/// As in a shell: the line is dropped. Undo brings it back.
InputBox::Took InputBox::clear() {
  popup_.reset();
  history_.leave();
  if (empty()) return Took::no;
  buffer_.set_text("");
  return Took::yes;
}

InputBox::Took InputBox::handle_search(const Key& key) {
  if (key.is(U'r', terminal::kCtrl) || key.is(KeyKind::up)) {
    if (search_->match) ++search_->skip;
    find();
    if (!search_->match && search_->skip > 0) {  // the oldest stays
      --search_->skip;
      find();
    }
  } else if (key.is(U's', terminal::kCtrl) || key.is(KeyKind::down)) {
    if (search_->skip > 0) --search_->skip;
    find();
  } else if (key.is(KeyKind::escape) || key.is(U'c', terminal::kCtrl) || key.is(U'g', terminal::kCtrl)) {
    search_.reset();
  } else if (key.kind == KeyKind::enter || key.is(KeyKind::tab) || key.is(KeyKind::right)) {
    // It is put into the input, not sent: the operator looks at it first.
    if (search_->match) buffer_.set_text(*search_->match);
    search_.reset();
  } else if (search_->pattern.handle_key(key)) {
    search_->skip = 0;
    find();
  } else {
    return Took::no;
  }
  return Took::yes;
}

void InputBox::find() {
  search_->match = search_->pattern.empty() ? std::nullopt : history_.find(search_->pattern.expanded(), search_->skip);
}

bool InputBox::blank() const {
  return buffer_.text().find_first_not_of(" \t\n") == std::string::npos;
}

/// Told once, when the whole paste is in.
std::size_t InputBox::take_dropped() {
  return pasting_.empty() ? std::exchange(dropped_, 0) + buffer_.take_dropped() : 0;
}

InputBox::Submission InputBox::submit() {
  Submission result;
  result.shown = buffer_.folded([](const std::string& content) { return chip_label(content); });
  result.text = take();
  history_.add(result.text);
  return result;
}

std::string InputBox::take() {
  popup_.reset();
  search_.reset();
  history_.leave();
  scroll_ = 0;
  return buffer_.take();
}

void InputBox::set_text(std::string_view text) {
  popup_.reset();
  history_.leave();
  buffer_.set_text(text);
}

void InputBox::add_text(std::string_view text) {
  buffer_.move_to(buffer_.text().size());
  buffer_.insert(empty() ? std::string(text) : "\n" + std::string(text));
}

std::vector<Hint> InputBox::hints() const {
  if (search_)
    return {{"Enter", say(Message::hint_take)},
            {"Ctrl+R", say(Message::hint_older_match)},
            {"Esc", say(Message::hint_cancel)}};
  if (popup_)
    return {{"Tab", say(Message::hint_complete)},
            {"Up/Down", say(Message::hint_choose)},
            {"Esc", say(Message::hint_cancel)}};
  if (shell_mode()) return {{"Enter", say(Message::hint_run)}, {"Esc", say(Message::hint_cancel)}};
  if (empty() && !queue_.empty()) return {{"Up", say(Message::hint_take_back)}};
  return {};
}

}  // namespace panel
