#pragma once

#include <list>
#include <memory>
#include <string>

#include "agent/approval_policy.h"
#include "agent/tool.h"
#include "event/event_loop.h"
#include "local_exec/subprocess.h"

namespace local_exec {

/// Runs a command on the operator's own machine, not on the remote host.
///
/// A call that is cancelled gets SIGINT, then SIGTERM, then SIGKILL, for its whole process group; the tool sees to that
/// also after the call is gone.
class LocalCommandTool : public agent::Tool {
 public:
  struct Options {
    std::string directory;  ///< Empty: where jms was started.
    int default_timeout_s = 30;
    int max_timeout_s = 600;
    std::size_t max_chars = 10'000;
    std::chrono::milliseconds escalation{1'000};
  };
  LocalCommandTool(event::EventLoop& loop, agent::CommandClassifier classifier, Options options);
  ~LocalCommandTool() override;

  const model::ToolSpec& spec() const override { return spec_; }
  std::string prompt_fragment(agent::Mode mode) const override;
  base::Result<void> validate(const agent::Json& input) const override;
  agent::Classification classify(const agent::Json& input) const override;
  bool is_concurrency_safe(const agent::Json& input) const override;
  agent::Place place() const override { return agent::Place::operator_machine; }
  std::size_t max_result_chars() const override { return options_.max_chars + 500; }
  std::string activity(const agent::Json& input) const override;
  std::string subject(const agent::Json& input) const override;
  std::optional<agent::Json> with_subject(const agent::Json& input, const std::string& text) const override;
  std::unique_ptr<Run> start(const agent::Json& input, Done done) override;

 private:
  struct Call;
  class CallRun;

  void stop(std::shared_ptr<Call> call);
  agent::ToolResult describe(const CommandResult& result, std::chrono::milliseconds timeout) const;

  event::EventLoop& loop_;
  agent::CommandClassifier classifier_;
  Options options_;
  model::ToolSpec spec_;
  std::list<std::shared_ptr<Call>> stopping_;
};

}  // namespace local_exec
