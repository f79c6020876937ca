#pragma once

#include <memory>
#include <string>

#include "agent/agent.h"
#include "agent/conversation.h"
#include "agent/session_store.h"
#include "app/config.h"
#include "app/connection.h"
#include "app/model_settings.h"
#include "base/result.h"
#include "event/event_loop.h"
#include "safety/permission_rules.h"

namespace app {

/// The agent on a session without a terminal in front of it: what `jms ask` runs.
class HeadlessAgent {
 public:
  struct Options {
    std::string target;
    safety::Mode mode = safety::Mode::Ask;
    bool allow_changes = false;
    std::string resume_id;  ///< Goes on with a kept conversation.
  };

  HeadlessAgent(event::EventLoop& loop, Options options, ModelSetup setup);
  ~HeadlessAgent();

  /// Opens audit log, session file and the session itself.
  base::Result<void> open(const Connection::Factory& factory);

  /// Answers one question; everything goes to `observer`. Serves the loop until the end. SIGINT cancels.
  agent::End ask(const std::string& question, agent::Observer& observer);

 private:
  struct Parts;

  base::Result<void> open_records();
  void make_tools();
  agent::Question compose(const std::string& question);

  event::EventLoop& loop_;
  Options options_;
  ModelSetup setup_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace app
