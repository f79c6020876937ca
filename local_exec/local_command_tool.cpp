#include "local_exec/local_command_tool.h"

#include <cstdio>
#include <cstring>
#include <utility>

#include "agent/command_text.h"
#include "agent/intent.h"
#include "event/timer.h"
#include "local_exec/interactive.h"
#include "shell/parser.h"

namespace local_exec {
namespace {

std::string command_of(const agent::Json& input) {
  return std::string(model::string_at(input, "command"));
}

std::string seconds(std::chrono::milliseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(time.count()) / 1000);
  return text;
}

}  // namespace

/// A command that runs; without `done`, one that is being stopped.
struct LocalCommandTool::Call {
  explicit Call(event::EventLoop& loop) : failed(loop) {}
  Done done;
  std::unique_ptr<Subprocess> process;
  event::Timer failed;
};

class LocalCommandTool::CallRun : public agent::Tool::Run {
 public:
  CallRun(LocalCommandTool& tool, std::shared_ptr<Call> call) : tool_(tool), call_(std::move(call)) {}
  ~CallRun() override {
    if (call_->done) tool_.stop(call_);
  }

 private:
  LocalCommandTool& tool_;
  std::shared_ptr<Call> call_;
};

LocalCommandTool::LocalCommandTool(event::EventLoop& loop, agent::CommandClassifier classifier, Options options)
    : loop_(loop), classifier_(std::move(classifier)), options_(std::move(options)) {
  spec_.name = "local_command";
  spec_.description =
      "Runs a command with bash on the operator's own machine, not on the remote host: for a skill's scripts and local "
      "files. No terminal, nothing on standard input; output and errors come back together, cut to 10,000 characters. "
      "Interactive programs are refused.";
  spec_.input_schema = {
      {"type", "object"},
      {"properties",
       {{"command", {{"type", "string"}, {"minLength", 1}, {"description", "What bash -c gets."}}},
        {"timeout_s",
         {{"type", "integer"}, {"minimum", 1}, {"maximum", options_.max_timeout_s}, {"description", "Default 30."}}},
        {"purpose", agent::purpose_property()}}},
      {"required", agent::Json::array({"command"})},
      {"additionalProperties", false}};
}

LocalCommandTool::~LocalCommandTool() = default;

std::string LocalCommandTool::prompt_fragment(agent::Mode mode) const {
  return mode == agent::Mode::read_only ? "only commands that provably read run in this mode." : std::string();
}

base::Result<void> LocalCommandTool::validate(const agent::Json& input) const {
  if (auto fits = Tool::validate(input); !fits) return fits;
  const std::string command = command_of(input);
  if (command.find('\0') != std::string::npos) return base::fail("the command contains a NUL byte");
  if (const auto parsed = shell::parse(command); parsed.state != shell::Completeness::Complete)
    return base::fail("the command is not complete or not valid shell");
  if (auto hint = needs_terminal(command); !hint.empty()) return base::fail(std::move(hint));
  return {};
}

agent::Classification LocalCommandTool::classify(const agent::Json& input) const {
  return classifier_(command_of(input));
}

bool LocalCommandTool::is_concurrency_safe(const agent::Json& input) const {
  return classify(input).effect == agent::Effect::read_only;
}

std::string LocalCommandTool::activity(const agent::Json& input) const {
  return "Running locally: " + model::one_line(command_of(input), 160);
}

std::string LocalCommandTool::subject(const agent::Json& input) const {
  return command_of(input);
}

std::optional<agent::Json> LocalCommandTool::with_subject(const agent::Json& input, const std::string& text) const {
  agent::Json edited = input;
  edited["command"] = text;
  return edited;
}

std::unique_ptr<agent::Tool::Run> LocalCommandTool::start(const agent::Json& input, Done done) {
  Subprocess::Options options;
  options.command = command_of(input);
  options.directory = options_.directory;
  options.timeout = std::chrono::seconds(model::number_at(input, "timeout_s").value_or(options_.default_timeout_s));
  options.kept_bytes = options_.max_chars;
  options.escalation = options_.escalation;
  const auto timeout = options.timeout;

  auto call = std::make_shared<Call>(loop_);
  call->done = std::move(done);
  Subprocess::Events events;
  events.on_done = [this, timeout, weak = std::weak_ptr<Call>(call)](const CommandResult& result) {
    const auto held = weak.lock();
    if (!held) return;
    stopping_.remove(held);
    if (const auto report = std::exchange(held->done, nullptr)) report(describe(result, timeout));
  };
  auto started = Subprocess::start(loop_, std::move(options), std::move(events));
  if (started) {
    call->process = std::move(*started);
  } else {
    call->failed.start(std::chrono::milliseconds(0), [weak = std::weak_ptr<Call>(call), why = started.error().message] {
      if (const auto held = weak.lock())
        if (const auto report = std::exchange(held->done, nullptr))
          report({"The command could not be started: " + why, true});
    });
  }
  return std::make_unique<CallRun>(*this, std::move(call));
}

void LocalCommandTool::stop(std::shared_ptr<Call> call) {
  call->done = nullptr;
  if (!call->process) return;
  call->process->stop();
  stopping_.push_back(std::move(call));
}

agent::ToolResult LocalCommandTool::describe(const CommandResult& result, std::chrono::milliseconds timeout) const {
  agent::CommandText text{readable(result.output), result.exit_code, seconds(result.duration)};
  if (result.timed_out)
    text.note =
        "timed out after " + seconds(timeout) + " and was stopped; give a longer timeout_s or narrow the command";
  else if (result.signal != 0)
    text.note = std::string("ended by signal: ") + ::strsignal(result.signal);
  agent::Json details = {{"exit_code", result.exit_code ? agent::Json(*result.exit_code) : agent::Json()},
                         {"duration_ms", result.duration.count()},
                         {"timed_out", result.timed_out},
                         {"truncated", result.truncated},
                         {"total_bytes", result.total_bytes}};
  if (result.signal != 0) details["signal"] = result.signal;
  return {agent::describe_command(text), result.timed_out, std::move(details)};
}

}  // namespace local_exec
