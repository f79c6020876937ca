#include "app/assistant/operator_commands.h"

#include <utility>

#include "app/assistant/secret_commands.h"
#include "panel/messages.h"
#include "safety/sanitizer.h"

namespace app {
namespace {

using panel::Message;
using panel::say;
using Kind = panel::PanelAction::Kind;

/// Without a working redactor nothing is kept at all.
std::optional<safety::Redactor> make_redactor(const OperatorCommands::Options& options) {
  auto made = safety::Redactor::create(options.redaction);
  if (!made) return std::nullopt;
  for (const auto& secret : options.secrets)
    if (!secret.empty()) made->add_literal("model-key", secret);
  return std::move(*made);
}

}  // namespace

OperatorCommands::OperatorCommands(event::EventLoop& loop, Options options, panel::Panel& panel,
                                   SlashCommands::Surroundings surroundings)
    : panel_(panel),
      changed_(surroundings.changed),
      redactor_(make_redactor(options)),
      shell_(
          loop, redactor_ ? options.outputs : "",
          [this] { return std::make_unique<RedactingFilter>(*redactor_, book_, "this machine"); }, shell_events()),
      slash_(loop, options.config_path, panel, std::move(surroundings)) {
  if (redactor_ && !options.state.empty())
    history_.emplace(options.state, [this](std::string_view text) { return redactor_->redact(text, book_); });
  load_history();
}

void OperatorCommands::load_history() {
  if (!history_) return;
  const auto loaded = history_->load();
  if (!loaded) {
    panel_.add(panel::Speaker::notice, say(Message::history_unusable, {loaded.error().message}));
    history_.reset();
    return;
  }
  for (const auto& question : *loaded) panel_.input().history().add(question);
}

void OperatorCommands::remember(const std::string& text) {
  if (history_) (void)history_->add(text);  // A full disk must not stand in the way of a question.
}

bool OperatorCommands::on_action(const panel::PanelAction& action) {
  switch (action.kind) {
    case Kind::submitted:
      remember(action.text);
      return false;
    case Kind::slash:
      remember(action.text);
      slash_.run(action.text);
      return true;
    case Kind::shell:
      remember("!" + action.text);
      shell_.run(action.text);
      return true;
    case Kind::cancel:
      if (!shell_.running()) return false;
      shell_.stop();
      return true;
    default:
      return false;
  }
}

ShellMode::Events OperatorCommands::shell_events() {
  return {.on_begin =
              [this](const std::string& command) {
                auto block = std::make_unique<panel::ShellBlock>(safety::sanitize(command, safety::Unprintable::Shown));
                shown_ = block->handle();
                panel_.conversation().add(std::move(block));
                panel_.set_local_command(true);
                changed_();
              },
          .on_output =
              [this](const std::string& shown) {
                shown_->set_output(shown);
                changed_();
              },
          .on_end = [this](const ShellMode::Ended& ended) { on_shell_end(ended); },
          .on_refused =
              [this](const std::string& why) {
                panel_.add(panel::Speaker::notice, why);
                changed_();
              }};
}

void OperatorCommands::on_shell_end(const ShellMode::Ended& ended) {
  std::string note = say(Message::shell_stopped);
  if (ended.timed_out) note = say(Message::shell_timed_out, {std::to_string(ShellMode::kLimit.count() / 1000)});
  shown_->finish({.exit_code = ended.exit_code, .note = std::move(note), .duration = ended.duration});
  panel_.set_local_command(false);
  if (records_.size() == kMostRecords) records_.erase(records_.begin());
  records_.push_back({.command = ended.command, .output = ended.output, .exit_code = ended.exit_code});
  changed_();
}

}  // namespace app
