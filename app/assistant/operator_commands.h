#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/context.h"
#include "app/assistant/question_history.h"
#include "app/assistant/shell_mode.h"
#include "app/assistant/slash_commands.h"
#include "panel/panel.h"
#include "panel/shell_block.h"
#include "safety/redactor.h"

namespace app {

/// What the operator types that is no question: slash commands, commands for
/// his own machine; and the history of all of it, kept across sessions.
class OperatorCommands {
 public:
  struct Options {
    std::string state;        ///< The state directory; empty: nothing is kept.
    std::string config_path;  ///< --config, for the checks of /doctor.
    std::string outputs;
    std::vector<std::string> secrets;  ///< Our own keys: never in a file, whatever they look like.
    safety::RedactorOptions redaction;
  };

  OperatorCommands(event::EventLoop& loop, Options options, panel::Panel& panel,
                   SlashCommands::Surroundings surroundings);

  /// True when the action was for it and nobody else needs it.
  bool on_action(const panel::PanelAction& action);

  /// What ran since the last call: goes in front of the next question.
  std::vector<agent::ShellRecord> take_records() { return std::exchange(records_, {}); }

 private:
  static constexpr std::size_t kMostRecords = 20;

  void load_history();
  void remember(const std::string& text);
  ShellMode::Events shell_events();
  void on_shell_end(const ShellMode::Ended& ended);

  panel::Panel& panel_;
  std::function<void()> changed_;
  std::optional<safety::Redactor> redactor_;
  safety::SecretBook book_;
  std::optional<QuestionHistory> history_;
  std::vector<agent::ShellRecord> records_;
  std::shared_ptr<panel::ShellBlock::Handle> shown_;
  ShellMode shell_;
  SlashCommands slash_;
};

}  // namespace app
