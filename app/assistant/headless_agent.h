#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/assistant/assistant.h"
#include "app/target/connection.h"
#include "base/result.h"
#include "event/event_loop.h"
#include "remote_exec/exec_session.h"

namespace app {

/// The assistant on a session without a terminal in front of it: what `jms ask` runs.
class HeadlessAgent {
 public:
  struct Options {
    std::string target;
    remote_exec::Options exec;  ///< How its commands are run; where long outputs go is decided here.
    AssistantSettings settings;
    bool allow_changes = false;
    std::string resume_id;  ///< Goes on with a kept conversation.
  };

  HeadlessAgent(event::EventLoop& loop, Options options, ModelSetup setup);
  ~HeadlessAgent();

  /// Opens the session itself and then the records. Serves the loop until the target is reached; a signal gives up.
  base::Result<void> open(const Connection::Factory& factory);

  /// Answers one question; everything goes to `observer`. Serves the loop until the end. SIGINT cancels; SIGTERM and
  /// SIGHUP give up at once, without an end: see ended_by().
  std::optional<agent::End> ask(const std::string& question, agent::Observer& observer);

  /// Ends the session in order, for who goes on without an end to destroy this; the records stay.
  void hang_up();

  /// The signal by which the process should die now; 0: none. What was begun is given up and recorded.
  int ended_by() const { return ended_by_; }

  /// Why the target was lost or never reached; nothing while all is well or after a plain end.
  std::optional<std::string> lost() const;
  /// Why commands were refused or ended without their record; nothing while all is well.
  std::optional<std::string> unrecorded() const { return assistant_->unrecorded(); }

 private:
  base::Result<void> connect(const Connection::Factory& factory, const std::string& outputs);
  std::unique_ptr<agent::Tool::Run> run(remote_exec::ExecRequest request,
                                        std::function<void(remote_exec::CommandResult)> done);

  void on_notice(const transport::SessionNotice& notice);

  event::EventLoop& loop_;
  Options options_;
  ModelSetup setup_;
  transport::NobodyToAsk nobody_;
  agent::Observer* observer_ = nullptr;  ///< Of the question under way.
  bool reached_ = false;
  int ended_by_ = 0;
  std::unique_ptr<remote_exec::ExecSession> session_;
  std::unique_ptr<Assistant> assistant_;  ///< Before the session in destruction: its calls stop first.
};

}  // namespace app
