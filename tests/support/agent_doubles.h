#pragma once

// Doubles for tests of the agent: a clock that stands still, a model that reads from a script, tools that do what the
// test says. Nothing moves unless the test calls step().

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "tests/support/mode_policy.h"

namespace support {

/// Time that only advance() moves.
class FakeClock : public agent::Clock {
 public:
  Time now() const override { return now_; }

  std::unique_ptr<Alarm> after(std::chrono::milliseconds delay, std::function<void()> callback) override {
    auto entry = std::make_shared<Entry>(Entry{now_ + delay, std::move(callback)});
    entries_.push_back(entry);
    return std::make_unique<Handle>(std::move(entry));
  }

  /// Runs the earliest alarm that is due. False when none is.
  bool fire_one() {
    std::erase_if(entries_, [](const auto& entry) { return !entry->callback; });
    for (auto it = entries_.begin(); it != entries_.end(); ++it) {
      if ((*it)->when > now_) continue;
      const auto entry = *it;
      entries_.erase(it);
      const auto callback = std::exchange(entry->callback, nullptr);
      callback();
      return true;
    }
    return false;
  }

  void advance(std::chrono::milliseconds by) { now_ += by; }

 private:
  struct Entry {
    Time when;
    std::function<void()> callback;
  };
  struct Handle : Alarm {
    explicit Handle(std::shared_ptr<Entry> of) : entry(std::move(of)) {}
    ~Handle() override { entry->callback = nullptr; }
    std::shared_ptr<Entry> entry;
  };

  Time now_{};
  std::vector<std::shared_ptr<Entry>> entries_;
};

inline model::Turn text_turn(std::string text, model::StopReason stop = model::StopReason::end_turn) {
  model::Turn turn;
  turn.outcome = model::Outcome::complete;
  turn.stop = stop;
  turn.text = text;
  if (!text.empty()) turn.replay.push_back(model::Block::text(std::move(text)));
  turn.usage.input = 100;
  turn.usage.output = 10;
  return turn;
}

struct Call {
  std::string id;
  std::string name;
  model::Json input = model::Json::object();
  bool executable = true;
};

inline model::Turn call_turn(const std::vector<Call>& calls, const std::string& text = {}) {
  model::Turn turn = text_turn(text, model::StopReason::tool_use);
  turn.replay.insert(turn.replay.begin(), model::Block::thinking("hm", "signature"));
  turn.thinking = "hm";
  for (const auto& call : calls) {
    turn.tool_uses.push_back({call.id, call.name, call.input, call.executable});
    turn.replay.push_back(model::Block::tool_use(call.id, call.name, call.input));
  }
  return turn;
}

inline model::Turn error_turn(model::ErrorKind kind, std::string message = "it broke") {
  model::Turn turn;
  turn.outcome = model::Outcome::error;
  turn.error = model::TurnError{kind, "test", std::move(message)};
  return turn;
}

/// A model that answers from a script, one turn per request, when the test says so.
class ScriptedClient : public model::ModelClient {
 public:
  std::unique_ptr<Stream> start(model::Request request, model::Events events) override {
    requests.push_back(std::move(request));
    auto open = std::make_shared<Open>(Open{std::move(events), 0});
    open_.push_back(open);
    return std::make_unique<Handle>(std::move(open));
  }

  /// Lets the oldest open request hear its text, then its turn. False when nothing is open or the script is empty.
  bool deliver_one() {
    std::erase_if(open_, [](const auto& open) { return open->closed; });
    if (open_.empty() || script.empty()) return false;
    const auto open = open_.front();
    if (open->stage++ == 0) {
      const auto text = script.front().text;
      const auto thinking = script.front().thinking;
      if (!thinking.empty() && open->events.on_thinking) open->events.on_thinking(thinking);
      if (!open->closed && !text.empty() && open->events.on_text) open->events.on_text(text);
      return true;
    }
    const auto done = std::move(open->events.on_done);
    open->closed = true;
    auto turn = std::move(script.front());
    script.pop_front();
    done(std::move(turn));
    return true;
  }

  bool busy() const {
    for (const auto& open : open_)
      if (!open->closed) return true;
    return false;
  }

  std::deque<model::Turn> script;
  std::vector<model::Request> requests;

 private:
  struct Open {
    model::Events events;
    int stage = 0;
    bool closed = false;
  };
  struct Handle : Stream {
    explicit Handle(std::shared_ptr<Open> of) : open(std::move(of)) {}
    ~Handle() override { open->closed = true; }
    std::shared_ptr<Open> open;
  };
  std::vector<std::shared_ptr<Open>> open_;
};

/// A tool whose calls stay open until the test finishes them.
class FakeTool : public agent::Tool {
 public:
  explicit FakeTool(std::string name) {
    spec_.name = std::move(name);
    spec_.description = "A tool for tests.";
    spec_.input_schema = {{"type", "object"},
                          {"properties", {{"command", {{"type", "string"}}}}},
                          {"required", model::Json::array({"command"})}};
  }

  const model::ToolSpec& spec() const override { return spec_; }
  std::string prompt_fragment(agent::Mode mode) const override {
    return mode == agent::Mode::read_only ? "only reads run" : "";
  }
  agent::Classification classify(const model::Json& input) const override {
    return {effect_of ? effect_of(subject(input)) : effect, "as the test says"};
  }
  std::optional<model::Json> with_subject(const model::Json& input, const std::string& text) const override {
    auto edited = input;
    edited["command"] = text;
    return edited;
  }
  bool is_concurrency_safe(const model::Json&) const override { return safe; }
  agent::InterruptBehavior interrupt_behavior() const override { return interrupt; }
  agent::Place place() const override { return where; }
  bool keeps_result() const override { return keeps; }
  std::string subject(const model::Json& input) const override { return input.value("command", ""); }

  std::unique_ptr<Run> start(const model::Json& input, Done done) override {
    ++started;
    most_open = std::max(most_open, ++open);
    auto call = std::make_shared<Pending>(Pending{input.value("command", ""), std::move(done)});
    pending_.push_back(call);
    return std::make_unique<Handle>(*this, std::move(call));
  }

  /// Finishes the oldest open call. False when there is none.
  bool finish_one() {
    std::erase_if(pending_, [](const auto& call) { return call->closed; });
    if (pending_.empty()) return false;
    const auto call = pending_.front();
    call->closed = true;
    const auto done = std::move(call->done);
    done(result ? result(call->command) : agent::ToolResult{"result of " + call->command});
    return true;
  }

  agent::Effect effect = agent::Effect::read_only;
  std::function<agent::Effect(const std::string&)> effect_of;
  agent::Place where = agent::Place::remote;
  agent::InterruptBehavior interrupt = agent::InterruptBehavior::stop;
  bool safe = false;
  bool keeps = false;
  std::function<agent::ToolResult(const std::string&)> result;
  int started = 0;
  int open = 0;
  int most_open = 0;

 private:
  struct Pending {
    std::string command;
    Done done;
    bool closed = false;
  };
  struct Handle : Run {
    Handle(FakeTool& of, std::shared_ptr<Pending> which) : tool(of), call(std::move(which)) {}
    ~Handle() override {
      call->closed = true;
      --tool.open;
    }
    FakeTool& tool;
    std::shared_ptr<Pending> call;
  };
  model::ToolSpec spec_;
  std::vector<std::shared_ptr<Pending>> pending_;
};

/// Remembers everything it is told.
class Recorder : public agent::Observer {
 public:
  void on_turn_start(const agent::LoopState& state) override {
    say("turn " + std::string(name_of(state.reason)));
    states.push_back(state);
  }
  void on_text(std::string_view text) override { say("text"), shown += text; }
  void on_thinking(std::string_view) override { say("thinking"); }
  void on_tool_call(const agent::ToolCall& call) override { say("call " + call.name); }
  void on_approval_wanted(const agent::ApprovalRequest& request,
                          std::function<void(agent::ApprovalAnswer)> answer) override {
    say("approval " + request.subject);
    approvals.push_back(request);
    if (on_approval) return on_approval(request, std::move(answer));
    pending_approval = std::move(answer);
  }
  void on_tool_edited(const agent::ToolCall& call) override { say("edited " + call.input.value("command", "")); }
  void on_tool_result(const agent::ToolCall& call, const agent::ToolResult& result) override {
    say((result.is_error ? "error " : "result ") + call.name);
    results.push_back(result);
  }
  void on_limit_reached(const agent::Limit& limit, std::function<void(agent::LimitAnswer)> answer) override {
    say("limit");
    limits.push_back(limit);
    if (on_limit) return answer(on_limit(limit));
    pending_limit = std::move(answer);
  }
  void on_retry(const model::Retry&) override { say("retry"); }
  void on_compaction(const agent::Compaction& event) override { compactions.push_back(event), say("compaction"); }
  void on_usage(const agent::Spent& spent) override { last_spent = spent; }
  void on_notice(std::string_view notice) override { notices.emplace_back(notice); }
  void on_end(const agent::End& report) override {
    say("end " + std::string(name_of(report.ending)));
    end = report;
    if (at_end) at_end();
  }

  void say(std::string what) {
    log.push_back(std::move(what));
    if (at_each) at_each(log.back());
  }
  int count(std::string_view what) const { return static_cast<int>(std::count(log.begin(), log.end(), what)); }

  std::vector<std::string> log;
  std::string shown;
  std::vector<agent::LoopState> states;
  std::vector<agent::ApprovalRequest> approvals;
  std::vector<agent::ToolResult> results;
  std::vector<agent::Limit> limits;
  std::vector<agent::Compaction> compactions;
  std::vector<std::string> notices;
  agent::Spent last_spent;
  std::optional<agent::End> end;
  std::function<void(agent::ApprovalAnswer)> pending_approval;
  std::function<void(agent::LimitAnswer)> pending_limit;
  std::function<void(const agent::ApprovalRequest&, std::function<void(agent::ApprovalAnswer)>)> on_approval;
  std::function<agent::LimitAnswer(const agent::Limit&)> on_limit;
  std::function<void()> at_end;
  std::function<void(const std::string&)> at_each;
};

/// An agent with all its doubles. step() does one thing: fires an alarm, delivers a turn, or finishes a call.
struct Rig {
  FakeClock clock;
  ScriptedClient client;
  FakeTool run{"execute_command"};
  FakeTool read{"read_output"};
  ModePolicy policy;
  Recorder recorder;
  agent::Conversation conversation;
  agent::Agent::Options options;
  agent::Hooks* hooks = nullptr;
  agent::Auditor* auditor = nullptr;
  std::unique_ptr<agent::Exchange> exchange;

  Rig() {
    read.safe = true;
    options.make_tag = [] { return std::string("tag"); };
  }

  agent::Agent agent() { return agent::Agent({client, {&run, &read}, policy, clock, hooks, auditor}, options); }

  void ask(std::string text, std::string terminal = {}) {
    agent::Question question;
    question.text = std::move(text);
    question.facts.target = "web1";
    question.terminal = std::move(terminal);
    recorder.end.reset();
    exchange = agent().ask(conversation, std::move(question), recorder);
  }

  bool step() { return clock.fire_one() || client.deliver_one() || run.finish_one() || read.finish_one(); }
  int pump(int most = 10'000) {
    int steps = 0;
    while (steps < most && step()) ++steps;
    return steps;
  }

  /// Asks and works until nothing more happens; how it ended.
  agent::Ending answer(std::string text, std::string terminal = {}) {
    ask(std::move(text), std::move(terminal));
    pump();
    return recorder.end.value().ending;
  }
};

}  // namespace support
