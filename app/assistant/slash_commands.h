#pragma once

#include <functional>
#include <memory>
#include <string>

#include "agent/observer.h"
#include "app/assistant/assistant.h"
#include "base/result.h"
#include "event/event_loop.h"
#include "local_exec/subprocess.h"
#include "panel/panel.h"
#include "panel/slash_command.h"

namespace app {

/// Does what the slash commands say, with the panel in front and the assistant
/// behind.
class SlashCommands {
 public:
  struct Surroundings {
    std::function<base::Result<Assistant*>()> assistant;  ///< Made when it is needed.
    std::function<void(const std::string&)> ask;          ///< As if the operator had asked it.
    agent::Observer* observer = nullptr;                  ///< Hears of a compaction.
    std::function<void()> changed;                        ///< Draw the panel again.
    std::function<void()> quit;
  };

  SlashCommands(event::EventLoop& loop, std::string config_path, panel::Panel& panel, Surroundings surroundings);

  /// `text` as it was typed. What is wrong with it is said in the panel.
  void run(const std::string& text);

 private:
  base::Result<std::string> answer(const panel::ParsedSlash& command);
  base::Result<std::string> with_assistant(const panel::ParsedSlash& command, Assistant& assistant);

  base::Result<std::string> skill(Assistant& assistant, const std::string& name);
  base::Result<std::string> model(Assistant& assistant, const std::string& name);
  base::Result<std::string> mode(Assistant& assistant, const std::string& name);
  base::Result<std::string> clear(Assistant& assistant);
  base::Result<std::string> export_to_file(const Assistant& assistant, const std::string& format) const;
  base::Result<std::string> resume(Assistant& assistant, const std::string& id);
  base::Result<std::string> theme(const std::string& name);
  base::Result<std::string> doctor();
  void say_line(const std::string& text);
  void offer_choices();

  event::EventLoop& loop_;
  std::string config_path_;
  panel::Panel& panel_;
  Surroundings surroundings_;
  std::unique_ptr<local_exec::Subprocess> doctor_;
};

}  // namespace app
