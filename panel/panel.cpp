#include "panel/panel.h"

#include <utility>

#include "panel/messages.h"

namespace panel {

Panel::Panel(Options options)
    : options_(std::move(options)), theme_(make_theme(options_.theme)), conversation_(theme_.signs) {
  status_.target = options_.target;
  status_.model = options_.model;
}

void Panel::add(Speaker speaker, std::string_view text) {
  switch (speaker) {
    case Speaker::operator_:
      return conversation_.ask(text);
    case Speaker::assistant:
      conversation_.begin_answer();
      return conversation_.answer(text);
    case Speaker::notice:
      return conversation_.note(text);
  }
}

void Panel::append(Speaker speaker, std::string_view text) {
  if (speaker == Speaker::assistant) return conversation_.answer(text);
  add(speaker, text);
}

void Panel::set_activity(std::string activity) {
  if (status_.activity.empty() && !activity.empty()) busy_since_ = now();
  status_.activity = std::move(activity);
  if (status_.activity.empty()) status_.round = 0;
}

void Panel::ask_approval(ApprovalView view) {
  withdraw_approval();
  search_.reset();
  conversation_.scroll_to_end();
  approval_ = static_cast<Approval*>(conversation_.add(std::make_unique<Approval>(std::move(view), now())));
  conversation_.show_from_its_beginning(approval_);
}

void Panel::withdraw_approval() {
  if (const Approval* asked = std::exchange(approval_, nullptr)) conversation_.remove(asked);
}

void Panel::offer_rollback(std::string command) {
  add(Speaker::notice, say(Message::rollback_ready, {command}));
  rollback_ = std::move(command);
}

void Panel::ask_limit(std::string_view text) {
  withdraw_limit();
  conversation_.scroll_to_end();
  limit_ = Limit{conversation_.add(std::make_unique<TextBlock>(std::string(text), Role::warning)), now()};
}

void Panel::withdraw_limit() {
  if (const auto asked = std::exchange(limit_, std::nullopt)) conversation_.remove(asked->block);
}

void Panel::set_theme(ThemeName name) {
  options_.theme.name = name;
  theme_ = make_theme(options_.theme);
}

void Panel::set_light_background(bool light) {
  options_.theme.light_background = light;
  theme_ = make_theme(options_.theme);
}

}  // namespace panel
