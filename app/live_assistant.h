#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/assistant.h"
#include "app/panel_guide.h"
#include "panel/panel.h"

namespace app {

/// The assistant behind the panel of a live session. Made when the first question is asked.
class LiveAssistant {
 public:
  struct Options {
    std::string target;
    safety::Target place;  ///< The same for the rules of hosts.
    safety::Mode mode = safety::Mode::Ask;
    ModelSetup model;
    std::string outputs;
  };
  struct Hooks {
    std::function<void()> changed;         ///< Draw the panel again.
    std::function<void()> needs_operator;  ///< Something waits for an answer in the panel.
  };

  LiveAssistant(event::EventLoop& loop, Options options, Assistant::Surroundings surroundings, panel::Panel& panel,
                Hooks hooks);

  /// What the operator did in the panel, as far as it concerns the assistant.
  void on_action(const panel::PanelAction& action);

 private:
  void submit(const std::string& text);

  event::EventLoop& loop_;
  Options options_;
  Assistant::Surroundings surroundings_;
  panel::Panel& panel_;
  PanelGuide guide_;
  std::unique_ptr<Assistant> assistant_;
};

}  // namespace app
