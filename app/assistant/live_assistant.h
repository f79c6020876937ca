#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/assistant/assistant.h"
#include "app/assistant/operator_commands.h"
#include "app/session/panel_guide.h"
#include "event/timer.h"
#include "panel/panel.h"

namespace app {

/// The assistant behind the panel of a live session. Made when the first question is asked.
class LiveAssistant {
 public:
  struct Options {
    std::string target;
    AssistantSettings settings;
    ModelSetup model;
    std::string outputs;
    std::string state;        ///< The state directory; empty: nothing is kept.
    std::string config_path;  ///< --config
  };
  struct Hooks {
    std::function<void()> changed;         ///< Draw the panel again.
    std::function<void()> needs_operator;  ///< Something waits for an answer in the panel.
    std::function<void()> on_end;          ///< An answer is complete, or was given up.
    std::function<void()> quit;            ///< The operator wants to end the session.
  };

  LiveAssistant(event::EventLoop& loop, Options options, Assistant::Surroundings surroundings, panel::Panel& panel,
                Hooks hooks);

  /// What the operator did in the panel, as far as it concerns the assistant.
  void on_action(const panel::PanelAction& action);
  void on_run_state(remote_exec::RunState state) { guide_.on_run_state(state); }

  /// How it stands, for a badge while the panel is closed.
  enum class State { resting, running, waiting };
  State state() const;

 private:
  void submit(const std::string& text);
  base::Result<Assistant*> assistant();
  void add_company(const std::string& question);
  OperatorCommands::Options command_options() const;
  void ask(const std::string& text);
  void hand_over_queue();
  void take_back();
  void on_end(const agent::End& end);

  event::EventLoop& loop_;
  Options options_;
  Assistant::Surroundings surroundings_;
  panel::Panel& panel_;
  Hooks hooks_;
  PanelGuide guide_;
  std::vector<std::string> queue_;  ///< Typed while it works; goes along with the next results.
  event::Timer next_;               ///< Asks what was left over, outside of the callback that said so.
  std::unique_ptr<Assistant> assistant_;
  OperatorCommands commands_;
};

}  // namespace app
