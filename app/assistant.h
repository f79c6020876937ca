#pragma once

#include <functional>
#include <memory>
#include <string>

#include "agent/agent.h"
#include "agent/conversation.h"
#include "agent/session_store.h"
#include "app/model_settings.h"
#include "base/result.h"
#include "event/event_loop.h"
#include "remote_exec/execute_command_tool.h"
#include "safety/permission_rules.h"
#include "terminal/screen.h"

namespace app {

/// The agent with everything it stands on: a model (or the offline engine), tools, skills, permissions, redaction, the
/// audit log and the kept conversation. The same for a session in front of the operator and for one without.
class Assistant {
 public:
  struct Options {
    std::string target;
    safety::Target place;  ///< The same for the rules of hosts; without a name: only the target's is known.
    safety::Mode mode = safety::Mode::Ask;
    bool headless = false;       ///< Nobody can be asked.
    bool allow_changes = false;  ///< --yes-changes
    std::string resume_id;       ///< Goes on with a kept conversation.
    std::string outputs;         ///< Where long outputs are kept.
  };
  /// Where the agent is: how a command runs there, and what the screen shows.
  struct Surroundings {
    remote_exec::ExecuteCommandTool::Runner run;
    std::function<const terminal::Screen&()> screen;
  };

  Assistant(event::EventLoop& loop, Options options, ModelSetup setup, Surroundings surroundings);
  ~Assistant();

  /// Opens the records. Without them nothing runs.
  base::Result<void> open();

  /// Starts answering; everything goes to `observer`, which must outlive the answer. One question at a time.
  void ask(const std::string& question, agent::Observer& observer);
  bool busy() const { return exchange_ && !exchange_->ended(); }
  /// Stops at any point; the observer hears of the end.
  void cancel();
  /// Typed while it works: goes along with the next results.
  void add_input(const std::string& text);

  /// "anthropic claude-…" or "offline", for titles.
  std::string model_name() const;

 private:
  struct Parts;

  void make_client();
  void make_tools();
  agent::Question compose(const std::string& question);

  event::EventLoop& loop_;
  Options options_;
  ModelSetup setup_;
  Surroundings surroundings_;
  std::unique_ptr<Parts> parts_;
  std::unique_ptr<agent::Agent> agent_;
  std::unique_ptr<agent::Exchange> exchange_;
};

}  // namespace app
