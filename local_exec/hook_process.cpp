#include "local_exec/hook_process.h"

#include <utility>

#include "event/timer.h"
#include "local_exec/subprocess.h"

namespace local_exec {
namespace {

class ProcessRun : public agent::HookRunner::Run {
 public:
  ProcessRun(event::EventLoop& loop, Subprocess::Options options, std::function<void(agent::HookOutput)> done)
      : failed_(loop) {
    auto started = Subprocess::start(loop, std::move(options),
                                     {{}, [done](const CommandResult& result) {
                                        done({true, result.timed_out, result.exit_code.value_or(1), result.output});
                                      }});
    if (started) {
      process_ = std::move(*started);
      return;
    }
    failed_.start(std::chrono::milliseconds(0), [done] { done({false, false, 1, {}}); });
  }

 private:
  event::Timer failed_;
  std::unique_ptr<Subprocess> process_;
};

}  // namespace

std::unique_ptr<agent::HookRunner::Run> HookProcess::start(const std::string& command, std::string input,
                                                           std::chrono::milliseconds limit,
                                                           std::function<void(agent::HookOutput)> done) {
  Subprocess::Options options;
  options.command = command;
  options.input = std::move(input);
  options.timeout = limit;
  // A hook over its time is not asked politely: the operator waits.
  options.escalation = std::chrono::milliseconds(100);
  return std::make_unique<ProcessRun>(loop_, std::move(options), std::move(done));
}

}  // namespace local_exec
