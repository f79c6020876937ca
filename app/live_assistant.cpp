#include "app/live_assistant.h"

#include <utility>

#include "panel/messages.h"

namespace app {
namespace {

panel::Mode title_mode(safety::Mode mode) {
  switch (mode) {
    case safety::Mode::ReadOnly:
      return panel::Mode::read_only;
    case safety::Mode::Auto:
      return panel::Mode::automatic;
    case safety::Mode::Ask:
      break;
  }
  return panel::Mode::ask;
}

}  // namespace

LiveAssistant::LiveAssistant(event::EventLoop& loop, Options options, Assistant::Surroundings surroundings,
                             panel::Panel& panel, Hooks hooks)
    : loop_(loop),
      options_(std::move(options)),
      surroundings_(std::move(surroundings)),
      panel_(panel),
      hooks_(std::move(hooks)),
      guide_(panel, options_.target,
             {.changed = hooks_.changed,
              .needs_operator = hooks_.needs_operator,
              .between_calls = [this] { hand_over_queue(); },
              .on_end = [this](const agent::End& end) { on_end(end); }}),
      next_(loop) {
  panel_.status().mode = title_mode(options_.settings.permissions.mode_for(options_.settings.where));
  guide_.set_context_window(options_.model.settings.models.find(options_.model.settings.model).context_window);
}

LiveAssistant::State LiveAssistant::state() const {
  if (guide_.waits_for_operator()) return State::waiting;
  return assistant_ && assistant_->busy() ? State::running : State::resting;
}

void LiveAssistant::on_action(const panel::PanelAction& action) {
  using Kind = panel::PanelAction::Kind;
  switch (action.kind) {
    case Kind::submitted:
      return submit(action.text);
    case Kind::approved:
      return guide_.answer({true, {}, agent::DecidedBy::operator_choice});
    case Kind::denied:
      return guide_.answer({false, action.text, agent::DecidedBy::operator_choice});
    case Kind::go_on:
      return guide_.answer_limit(agent::LimitAnswer::go_on);
    case Kind::stop_here:
      return guide_.answer_limit(agent::LimitAnswer::stop);
    case Kind::take_back:
      return take_back();
    case Kind::cancel:
      if (assistant_) assistant_->cancel();
      return;
    default:
      return;
  }
}

void LiveAssistant::submit(const std::string& text) {
  if (!assistant_ || !assistant_->busy()) return ask(text);
  queue_.push_back(text);
  panel_.set_queue(queue_);
}

void LiveAssistant::ask(const std::string& text) {
  if (!assistant_) {
    auto made = std::make_unique<Assistant>(
        loop_,
        Assistant::Options{.target = options_.target, .settings = options_.settings, .outputs = options_.outputs},
        options_.model, surroundings_);
    if (auto opened = made->open(); !opened)
      return panel_.add(panel::Speaker::notice,
                        panel::say(panel::Message::assistant_cannot_start, {opened.error().message}));
    assistant_ = std::move(made);
  }
  assistant_->ask(text, guide_);
}

/// Up to now the operator could take it back; from here on the model reads it.
void LiveAssistant::hand_over_queue() {
  for (const std::string& text : std::exchange(queue_, {})) {
    panel_.add(panel::Speaker::operator_, text);
    assistant_->add_input(text);
  }
  panel_.set_queue({});
}

void LiveAssistant::take_back() {
  if (queue_.empty()) return;
  panel_.input().add_text(queue_.back());
  queue_.pop_back();
  panel_.set_queue(queue_);
}

/// What nobody has answered yet is the next question, unless the operator stopped everything: then it goes back to him.
void LiveAssistant::on_end(const agent::End& end) {
  hooks_.on_end();
  std::string rest = end.unsent;
  const bool shown = !rest.empty();
  for (const std::string& text : std::exchange(queue_, {})) rest += (rest.empty() ? "" : "\n") + text;
  panel_.set_queue({});
  if (rest.empty()) return;
  if (end.ending == agent::Ending::aborted) return panel_.input().add_text(rest);
  if (!shown) panel_.add(panel::Speaker::operator_, rest);
  next_.start(std::chrono::milliseconds(0), [this, rest] { ask(rest); });
}

}  // namespace app
