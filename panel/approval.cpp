#include "panel/approval.h"

#include <algorithm>

#include "base/utf8.h"
#include "panel/messages.h"
#include "panel/shell_colors.h"
#include "terminal/cell.h"

namespace panel {
namespace {

using Kind = PanelAction::Kind;
using Scope = PanelAction::Scope;
using terminal::KeyKind;

}  // namespace

bool Approval::stray(Time now) {
  if (step_ != Step::keys || now - last_key_ >= kQuiet) return false;
  last_key_ = now;
  return true;
}

void Approval::go_to(Step step, std::string_view text) {
  step_ = step;
  wrong_word_ = false;
  field_ = {};
  if (!text.empty()) field_.set_text(text);
  changed();
}

bool Approval::step_back() {
  if (step_ == Step::keys) return false;
  go_to(Step::keys);
  return true;
}

std::optional<PanelAction> Approval::handle_key(const terminal::Key& key) {
  if (step_ == Step::keys)
    return key.kind == KeyKind::character && key.modifiers == 0 ? choose(key.character) : std::nullopt;
  if (step_ == Step::always) {
    if (key.is(U'y') || key.is(KeyKind::enter)) return PanelAction{Kind::approved, {}, Scope::always};
    if (key.is(U'n')) step_back();
    return PanelAction{};
  }
  // An empty note is a note too; the input itself does not submit nothing.
  if (step_ == Step::note && key.is(KeyKind::enter) && field_.blank()) return PanelAction{Kind::denied};
  switch (field_.handle_key(key)) {
    case InputBox::Took::submit:
      return submit();
    case InputBox::Took::no:
      return std::nullopt;
    default:
      return PanelAction{};
  }
}

std::optional<PanelAction> Approval::choose(char32_t key) {
  switch (key) {
    case U'y':
      if (view_.confirm_word.empty()) return PanelAction{Kind::approved};
      go_to(Step::confirm);
      break;
    case U's':
      if (view_.may_last && view_.confirm_word.empty()) return PanelAction{Kind::approved, {}, Scope::session};
      break;
    case U'a':
      if (view_.confirm_word.empty() && !(view_.always_rule.empty() && view_.always_refused.empty())) {
        if (view_.always_rule.empty()) return PanelAction{};
        go_to(Step::always);
      }
      break;
    case U'e':
      go_to(Step::edit, view_.command);
      break;
    case U'n':
      go_to(Step::note);
      break;
    default:
      return std::nullopt;
  }
  return PanelAction{};
}

std::optional<PanelAction> Approval::submit() {
  const std::string typed = field_.take();
  if (step_ == Step::note) return PanelAction{Kind::denied, typed};
  if (step_ == Step::edit) {
    if (typed == view_.command) {  // Nothing was changed: the question stands as it was.
      go_to(Step::keys);
      return PanelAction{};
    }
    return PanelAction{Kind::edited, typed};
  }
  if (typed == view_.confirm_word) return PanelAction{Kind::approved};
  wrong_word_ = true;
  return PanelAction{};
}

std::string Approval::prompt() const {
  switch (step_) {
    case Step::keys:
      return say(view_.destructive ? Message::approval_ask_destructive : Message::approval_ask, {view_.target});
    case Step::confirm:
      return say(wrong_word_ ? Message::approval_wrong_word : Message::approval_type_word, {view_.confirm_word});
    case Step::note:
      return say(Message::approval_why_not);
    case Step::edit:
      return say(Message::approval_edit);
    case Step::always:
      return say(Message::approval_always_sure);
  }
  return {};
}

std::vector<Hint> Approval::hints() const {
  const std::string back = say(Message::hint_back);
  switch (step_) {
    case Step::confirm:
      return {{"Enter", say(Message::hint_run_it)}, {"Esc", back}};
    case Step::note:
      return {{"Enter", say(Message::hint_do_not)}, {"Esc", back}};
    case Step::edit:
      return {{"Enter", say(Message::hint_run_edited)}, {"Esc", back}};
    case Step::always:
      return {{"y", say(Message::hint_always)}, {"Esc", back}};
    case Step::keys:
      break;
  }
  // The two plain answers first: in a narrow panel the others may have no room.
  std::vector<Hint> hints{{"y", say(Message::hint_run_it)}, {"n", say(Message::hint_do_not)}};
  if (view_.may_last && view_.confirm_word.empty()) hints.push_back({"s", say(Message::hint_session)});
  if (!view_.always_rule.empty() && view_.confirm_word.empty()) hints.push_back({"a", say(Message::hint_always)});
  hints.push_back({"e", say(Message::hint_edit)});
  return hints;
}

void Approval::layout(int width, const Signs& signs, bool) {
  lines_.clear();
  Spans head;
  append(head, view_.effect, view_.destructive ? Role::bad : Role::warning, terminal::kBold);
  if (!view_.reason.empty()) append(head, ": " + view_.reason, Role::text);
  for (auto& row : wrap_spans(head, width)) lines_.push_back({std::move(row)});

  const auto frame = view_.destructive ? Role::bad : Role::frame;
  Spans top;
  append(top, std::string(signs.corner_tl) + repeated(signs.horizontal, std::max(width - 1, 0)), frame);
  lines_.push_back({std::move(top)});
  for (const auto& part : wrap_spans(color_shell(view_.command), std::max(width - 2, 1))) {
    Spans row;
    append(row, std::string(signs.vertical) + " ", frame);
    append(row, part);
    lines_.push_back({std::move(row)});
  }
  Spans bottom;
  append(bottom, std::string(signs.corner_bl) + repeated(signs.horizontal, std::max(width - 1, 0)), frame);
  lines_.push_back({std::move(bottom)});
  add_facts(width, signs);
}

void Approval::add_facts(int width, const Signs&) {
  const auto fact = [&](Message label, const std::string& text, Role role = Role::text) {
    if (text.empty()) return;
    Spans row;
    append(row, say(label) + " ", Role::muted);
    append(row, text, role);
    for (auto& part : wrap_spans(row, width)) lines_.push_back({std::move(part)});
  };
  fact(Message::fact_where, view_.user.empty() ? view_.target : say(Message::fact_as_user, {view_.target, view_.user}));
  fact(Message::fact_purpose, view_.purpose);
  fact(Message::fact_care, view_.taint, Role::warning);
  fact(Message::fact_check, view_.check, Role::code);
  fact(Message::fact_backup, view_.backup, Role::code);
  fact(Message::fact_rollback, view_.rollback, Role::code);
  fact(Message::fact_recorded, view_.recorded);
  if (step_ == Step::always) fact(Message::fact_rule, view_.always_rule, Role::key);
  if (view_.always_rule.empty()) fact(Message::fact_no_rule, view_.always_refused, Role::muted);
}

std::string Approval::plain_text() const {
  std::string text = say(Message::approval_run_on, {view_.target, view_.effect, view_.reason}) + "\n" + view_.command;
  if (!view_.purpose.empty()) text += "\n" + say(Message::fact_purpose) + " " + view_.purpose;
  return text;
}

}  // namespace panel
