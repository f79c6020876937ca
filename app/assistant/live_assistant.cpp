#include "app/assistant/live_assistant.h"

#include <utility>

#include "app/assistant/attachments.h"
#include "app/session/panel_mode.h"
#include "panel/completion.h"
#include "panel/messages.h"

namespace app {
namespace {

agent::ApprovalScope scope_of(panel::PanelAction::Scope scope) {
  switch (scope) {
    case panel::PanelAction::Scope::session:
      return agent::ApprovalScope::session;
    case panel::PanelAction::Scope::always:
      return agent::ApprovalScope::always;
    case panel::PanelAction::Scope::once:
      break;
  }
  return agent::ApprovalScope::once;
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
      next_(loop),
      commands_(loop, command_options(), panel,
                {.assistant = [this] { return assistant(); },
                 .ask =
                     [this](const std::string& text) {
                       panel_.add(panel::Speaker::operator_, text);
                       submit(text);
                     },
                 .observer = &guide_,
                 .changed = hooks_.changed,
                 .quit = hooks_.quit}) {
  panel_.status().mode = panel_mode(options_.settings.permissions.mode_for(options_.settings.where),
                                    options_.settings.permissions.is_production(options_.settings.where));
  guide_.set_max_rounds(options_.settings.max_rounds);
  guide_.set_context_window(options_.model.settings.models.find(options_.model.settings.model).context_window);
}

LiveAssistant::State LiveAssistant::state() const {
  if (guide_.waits_for_operator()) return State::waiting;
  return assistant_ && assistant_->busy() ? State::running : State::resting;
}

void LiveAssistant::on_action(const panel::PanelAction& action) {
  using Kind = panel::PanelAction::Kind;
  if (commands_.on_action(action)) return;
  switch (action.kind) {
    case Kind::submitted:
      return submit(action.text);
    case Kind::approved:
      return guide_.answer(agent::ApprovalAnswer::yes(scope_of(action.scope)));
    case Kind::edited:
      return guide_.answer(agent::ApprovalAnswer::with_edit(action.text));
    case Kind::denied:
      return guide_.answer(agent::ApprovalAnswer::no(action.text));
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

base::Result<Assistant*> LiveAssistant::assistant() {
  if (assistant_) return assistant_.get();
  auto made = std::make_unique<Assistant>(
      loop_, Assistant::Options{.target = options_.target, .settings = options_.settings, .outputs = options_.outputs},
      options_.model, surroundings_);
  if (auto opened = made->open(); !opened)
    return base::fail(panel::say(panel::Message::assistant_cannot_start, {opened.error().message}));
  assistant_ = std::move(made);
  return assistant_.get();
}

void LiveAssistant::ask(const std::string& text) {
  const auto made = assistant();
  if (!made) return panel_.add(panel::Speaker::notice, made.error().message);
  add_company(text);
  assistant_->ask(text, guide_);
}

/// What goes along with a question: the operator's own commands, and the text that it names.
void LiveAssistant::add_company(const std::string& question) {
  for (auto& record : commands_.take_records()) assistant_->add_shell_record(std::move(record));
  for (const auto& name : panel::attachments_in(question)) {
    const std::string attached = name == "@last"           ? last_command_text(surroundings_.screen())
                                 : name == "@screen"       ? screen_text(surroundings_.screen())
                                 : surroundings_.selection ? surroundings_.selection()
                                                           : std::string();
    if (attached.empty())
      panel_.add(panel::Speaker::notice, panel::say(panel::Message::attachment_empty, {name}));
    else
      assistant_->attach(name, attached);
  }
}

OperatorCommands::Options LiveAssistant::command_options() const {
  return {.state = options_.state,
          .config_path = options_.config_path,
          .outputs = options_.outputs,
          .secrets = {options_.model.settings.api_key, options_.model.settings.auth_token},
          .redaction = options_.settings.redaction};
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
