#include "app/live_assistant.h"

#include <utility>

#include "panel/messages.h"

namespace app {

LiveAssistant::LiveAssistant(event::EventLoop& loop, Options options, Assistant::Surroundings surroundings,
                             panel::Panel& panel, Hooks hooks)
    : loop_(loop),
      options_(std::move(options)),
      surroundings_(std::move(surroundings)),
      panel_(panel),
      guide_(panel, options_.target, std::move(hooks.changed), std::move(hooks.needs_operator)) {}

void LiveAssistant::on_action(const panel::PanelAction& action) {
  switch (action.kind) {
    case panel::PanelAction::Kind::submitted:
      return submit(action.text);
    case panel::PanelAction::Kind::approved:
      return guide_.answer(true, {});
    case panel::PanelAction::Kind::denied:
      return guide_.answer(false, action.text);
    case panel::PanelAction::Kind::cancel:
      if (assistant_) assistant_->cancel();
      return;
    default:
      return;
  }
}

void LiveAssistant::submit(const std::string& text) {
  if (assistant_ && assistant_->busy()) return assistant_->add_input(text);
  if (!assistant_) {
    auto made = std::make_unique<Assistant>(
        loop_,
        Assistant::Options{
            .target = options_.target, .place = options_.place, .mode = options_.mode, .outputs = options_.outputs},
        options_.model, surroundings_);
    if (auto opened = made->open(); !opened)
      return panel_.add(panel::Speaker::notice,
                        panel::say(panel::Message::assistant_cannot_start, {opened.error().message}));
    assistant_ = std::move(made);
  }
  assistant_->ask(text, guide_);
}

}  // namespace app
