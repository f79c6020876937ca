#include "app/assistant/headless_agent.h"

#include <signal.h>

#include <cstdio>
#include <utility>

#include "app/commands/end_signals.h"
#include "app/config/state_dir.h"
#include "event/signal_watch.h"

namespace app {
namespace {

constexpr base::Size kSize{40, 160};
// Each step of a log-in has its own limit; this one only keeps a script from waiting forever.
constexpr std::chrono::minutes kLongestLogin{5};

/// A command under way in the session; destroying it interrupts the command.
class SessionRun final : public agent::Tool::Run {
 public:
  explicit SessionRun(remote_exec::ExecSession& session) : session_(session) {}
  ~SessionRun() override {
    if (std::exchange(*done_, true)) return;
    session_.stop();
  }
  std::shared_ptr<bool> done() { return done_; }

 private:
  remote_exec::ExecSession& session_;
  std::shared_ptr<bool> done_ = std::make_shared<bool>(false);
};

/// Passes everything on; at the end it lets the loop stop.
class UntilTheEnd final : public agent::Observer {
 public:
  UntilTheEnd(agent::Observer& inner, event::EventLoop& loop) : inner_(inner), loop_(loop) {}

  void on_turn_start(const agent::LoopState& state) override { inner_.on_turn_start(state); }
  void on_text(std::string_view text) override { inner_.on_text(text); }
  void on_thinking(std::string_view text) override { inner_.on_thinking(text); }
  void on_tool_call(const agent::ToolCall& call) override { inner_.on_tool_call(call); }
  void on_approval_wanted(const agent::ApprovalRequest& request,
                          std::function<void(agent::ApprovalAnswer)> answer) override {
    inner_.on_approval_wanted(request, std::move(answer));
  }
  void on_tool_result(const agent::ToolCall& call, const agent::ToolResult& result) override {
    inner_.on_tool_result(call, result);
  }
  void on_retry(const model::Retry& retry) override { inner_.on_retry(retry); }
  void on_stall(std::chrono::milliseconds silent) override { inner_.on_stall(silent); }
  void on_compaction(const agent::Compaction& compaction) override { inner_.on_compaction(compaction); }
  void on_usage(const agent::Spent& spent) override { inner_.on_usage(spent); }
  void on_notice(std::string_view notice) override { inner_.on_notice(notice); }
  void on_end(const agent::End& end) override {
    inner_.on_end(end);
    end_ = end;
    loop_.stop();
  }

  const std::optional<agent::End>& end() const { return end_; }

 private:
  agent::Observer& inner_;
  event::EventLoop& loop_;
  std::optional<agent::End> end_;
};

}  // namespace

HeadlessAgent::HeadlessAgent(event::EventLoop& loop, Options options, ModelSetup setup)
    : loop_(loop), options_(std::move(options)), setup_(std::move(setup)) {}

HeadlessAgent::~HeadlessAgent() {
  if (session_) session_->abandon();
  assistant_.reset();
  hang_up();
}

void HeadlessAgent::hang_up() {
  observer_ = nullptr;
  if (session_) session_->hang_up();
}

void HeadlessAgent::on_notice(const transport::SessionNotice& notice) {
  if (session_) session_->notice(notice);
  if (observer_) observer_->on_notice(notice.text);
}

base::Result<void> HeadlessAgent::open(const Connection::Factory& factory) {
  const auto state = state_dir();
  if (!state) return base::fail(state.error());
  const std::string outputs = *state + "/outputs";
  assistant_ = std::make_unique<Assistant>(
      loop_,
      Assistant::Options{.target = options_.target,
                         .settings = options_.settings,
                         .headless = true,
                         .allow_changes = options_.allow_changes,
                         .resume_id = options_.resume_id,
                         .outputs = outputs},
      std::move(setup_),
      Assistant::Surroundings{
          [this](remote_exec::ExecRequest request, std::function<void(remote_exec::CommandResult)> done) {
            return run(std::move(request), std::move(done));
          },
          [this]() -> const terminal::Screen& { return session_->screen(); },
          [this] { return shell_fact(session_->shell().memory()); }});
  if (auto connected = connect(factory, outputs); !connected) return connected;
  return assistant_->open();
}

base::Result<void> HeadlessAgent::connect(const Connection::Factory& factory, const std::string& outputs) {
  Connection::Hooks hooks;
  hooks.on_progress = hooks.on_remark = [](const std::string&) {};
  hooks.on_ready = [this] {
    reached_ = true;
    if (session_) session_->connected();
  };
  hooks.on_notice = [this](const transport::SessionNotice& notice) { on_notice(notice); };
  hooks.on_way = [](const std::string& way) { std::fprintf(stderr, "jms: %s\n", way.c_str()); };
  auto transport = factory(kSize, nobody_, std::move(hooks));
  if (!transport) return base::fail(transport.error());
  remote_exec::ExecSession::Settings settings;
  settings.size = kSize;
  settings.options = options_.exec;
  settings.options.output.directory = outputs;
  settings.announced = true;
  settings.on_closed = [this](const transport::Closed& closed) {
    if (observer_ && closed.kind == transport::Closed::Kind::lost) observer_->on_notice(closed.reason);
  };
  session_ = std::make_unique<remote_exec::ExecSession>(loop_, std::move(*transport), settings);
  if (reached_) session_->connected();
  const event::SignalWatch interrupt(loop_, SIGINT, [this] { ended_by_ = SIGINT; });
  const EndSignals end(loop_, [this](int signal_number) { ended_by_ = signal_number; });
  session_->start();
  // No model is asked, and paid, about a host that cannot be reached.
  const bool done = loop_.run_until([this] { return reached_ || session_->closed() || ended_by_ != 0; }, kLongestLogin);
  if (ended_by_ != 0) return base::fail("interrupted");
  if (!done)
    return base::fail(options_.target + " does not finish the log-in; see where it stops with `jms " + options_.target +
                      "`");
  if (auto reason = lost()) return base::fail(*reason);
  return {};
}

std::unique_ptr<agent::Tool::Run> HeadlessAgent::run(remote_exec::ExecRequest request,
                                                     std::function<void(remote_exec::CommandResult)> done) {
  auto handle = std::make_unique<SessionRun>(*session_);
  remote_exec::RunCallbacks callbacks;
  callbacks.on_done = [over = handle->done(), done = std::move(done)](remote_exec::CommandResult result) {
    if (!std::exchange(*over, true)) done(std::move(result));
  };
  session_->run(std::move(request), std::move(callbacks));
  return handle;
}

std::optional<agent::End> HeadlessAgent::ask(const std::string& question, agent::Observer& observer) {
  UntilTheEnd watcher(observer, loop_);
  observer_ = &watcher;
  assistant_->ask(question, watcher);
  const event::SignalWatch interrupt(loop_, SIGINT, [this] { assistant_->cancel(); });
  const auto give_up = [this](int signal_number) {
    ended_by_ = signal_number;
    session_->abandon();  // Its output passes the assistant's redaction.
    assistant_.reset();
    loop_.stop();
  };
  const EndSignals ended(loop_, give_up);
  while (!watcher.end() && ended_by_ == 0) loop_.run();
  observer_ = nullptr;
  return watcher.end();
}

std::optional<std::string> HeadlessAgent::lost() const {
  const auto& closed = session_->closed();
  if (!closed || closed->kind != transport::Closed::Kind::lost) return std::nullopt;
  return closed->reason;
}

}  // namespace app
