#pragma once

// Commands from the operator's config that see what the agent does and may stop it. How a command is started is
// somebody else's business: the agent knows no processes.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/json.h"

namespace agent {

/// When a hook runs.
enum class HookEvent { pre_tool, post_tool, post_answer };
std::string_view name_of(HookEvent event);

/// One hook as configured.
struct Hook {
  HookEvent event = HookEvent::pre_tool;
  std::string tool;  ///< Empty or "*": every tool.
  std::string command;
};

/// What came of a hook's command.
struct HookOutput {
  bool started = true;
  bool timed_out = false;
  int exit_code = 0;
  std::string output;
};

/// Starts a hook's command with `input` on its standard input. Destroying the run kills it.
class HookRunner {
 public:
  class Run {
   public:
    virtual ~Run() = default;
  };
  virtual ~HookRunner() = default;
  [[nodiscard]] virtual std::unique_ptr<Run> start(const std::string& command, std::string input,
                                                   std::chrono::milliseconds limit,
                                                   std::function<void(HookOutput)> done) = 0;
};

/// What the hooks of one event decided together.
struct HookVerdict {
  bool blocked = false;
  std::string reason;
  std::vector<std::string> notices;  ///< For the operator: hooks that failed without being asked to decide.
};

/// The hooks of one event, one after the other, until one blocks. Destroying it stops them.
class HookChain {
 public:
  using Done = std::function<void(HookVerdict)>;
  HookChain(HookRunner& runner, HookEvent event, std::vector<std::string> commands, std::string input, Done done);
  void start();

 private:
  void finished(const HookOutput& output);
  void judge(const HookOutput& output);

  HookRunner& runner_;
  HookEvent event_;
  std::vector<std::string> commands_;
  std::string input_;
  Done done_;
  std::size_t next_ = 0;
  HookVerdict verdict_;
  std::unique_ptr<HookRunner::Run> run_;
};

/// All configured hooks.
///
/// A hook gets one JSON object on stdin. Exit code 0 lets things go on, unless its output is JSON with
/// {"decision":"block","reason":…}; code 2 blocks, with the output as the reason. Before a tool any other failure
/// blocks too (a guard that is broken guards nothing); after it, the operator is told.
class Hooks {
 public:
  static constexpr std::chrono::milliseconds kLimit{5'000};

  Hooks(std::vector<Hook> hooks, HookRunner& runner) : hooks_(std::move(hooks)), runner_(runner) {}

  /// Nothing when no hook is configured for this.
  std::unique_ptr<HookChain> prepare(HookEvent event, std::string_view tool, model::Json payload,
                                     HookChain::Done done) const;

 private:
  std::vector<Hook> hooks_;
  HookRunner& runner_;
};

}  // namespace agent
