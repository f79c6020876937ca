#pragma once

#include "agent/hooks.h"
#include "event/event_loop.h"

namespace local_exec {

/// Runs the agent's hooks as commands of the operator's machine.
class HookProcess : public agent::HookRunner {
 public:
  explicit HookProcess(event::EventLoop& loop) : loop_(loop) {}

  std::unique_ptr<Run> start(const std::string& command, std::string input, std::chrono::milliseconds limit,
                             std::function<void(agent::HookOutput)> done) override;

 private:
  event::EventLoop& loop_;
};

}  // namespace local_exec
