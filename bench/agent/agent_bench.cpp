// Three figures: the time of a ten-round loop on a model without delay against the same commands run bare; the share of
// each request that repeats the one before it within a question; the size of requests over fifty questions.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent.h"
#include "app/assistant/safety_bridge.h"
#include "bench/support/rows.h"
#include "local_exec/local_command_tool.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 10;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Calls the tool in all rounds of a question but the last, then answers. Keeps the bytes of each request.
class ZeroLatencyModel : public model::ModelClient {
 public:
  ZeroLatencyModel(agent::Clock& clock, std::string command, int rounds)
      : clock_(clock), command_(std::move(command)), rounds_(rounds) {}

  std::unique_ptr<Stream> start(model::Request request, model::Events events) override {
    std::string bytes = request.system;
    for (const auto& tool : request.tools) bytes += tool.description + model::dump_json(tool.input_schema);
    for (const auto& message : request.messages) bytes += model::dump_json(model::to_json(message));
    requests.push_back(std::move(bytes));
    auto open = std::make_unique<Open>();
    open->alarm =
        clock_.after(std::chrono::milliseconds(0), [turn = next_turn(), done = events.on_done] { done(turn); });
    return open;
  }

  std::vector<std::string> requests;

 private:
  struct Open : Stream {
    std::unique_ptr<agent::Clock::Alarm> alarm;
  };

  model::Turn next_turn() {
    model::Turn turn;
    turn.outcome = model::Outcome::complete;
    if (++round_ % rounds_ != 0) {
      const std::string id = "call_" + std::to_string(round_);
      const model::Json input = {{"command", command_}};
      turn.stop = model::StopReason::tool_use;
      turn.tool_uses.push_back({id, "local_command", input, true});
      turn.replay.push_back(model::Block::tool_use(id, "local_command", input));
    } else {
      turn.stop = model::StopReason::end_turn;
      turn.text = "The answer, with its evidence. " + std::string(600, 'a');
      turn.replay.push_back(model::Block::text(turn.text));
    }
    return turn;
  }

  agent::Clock& clock_;
  std::string command_;
  int rounds_;
  int round_ = 0;
};

struct Waiting : agent::Observer {
  void on_end(const agent::End& report) override { end = report; }
  std::optional<agent::End> end;
};

/// Everything a question needs, with the real event loop and real processes.
struct Bench {
  event::EventLoop loop;
  agent::LoopClock clock{loop};
  app::RulesPolicy policy = automatic();
  local_exec::LocalCommandTool tool{loop, app::command_classifier(), {}};
  agent::Conversation conversation;
  ZeroLatencyModel model;

  static app::RulesPolicy automatic() {
    safety::PermissionRules permissions;
    permissions.set_mode(safety::Mode::Auto);
    // The questions bring a screen along; after remote text a local command needs a rule that names it.
    for (const char* reader : {"df -P", "ls /usr/bin", "head -n 200", "head -n 400"}) {
      if (!permissions.add({.action = safety::RuleAction::Allow, .tool = "local_command", .pattern = reader}))
        std::abort();
    }
    return app::RulesPolicy({.target = {.name = "bench"},
                             .user = {},
                             .permissions = permissions,
                             .rules_path = {},
                             .headless = true,
                             .allow_changes = true});
  }

  Bench(std::string command, int rounds) : model(clock, std::move(command), rounds) {}

  bool ask(const std::string& text, const std::string& terminal) {
    agent::Question question;
    question.text = text;
    question.terminal = terminal;
    Waiting waiting;
    const agent::Agent agent({model, {&tool}, policy, clock}, {});
    const auto exchange = agent.ask(conversation, question, waiting);
    return loop.run_until([&] { return waiting.end.has_value(); }, std::chrono::seconds(60)) &&
           waiting.end->ending == agent::Ending::completed;
  }

  void run_bare(const std::string& command) {
    bool done = false;
    const auto process = local_exec::Subprocess::start(loop, {.command = command},
                                                       {{}, [&](const local_exec::CommandResult&) { done = true; }});
    loop.run_until([&] { return done; }, std::chrono::seconds(60));
  }
};

bool measure_loop(int repeats) {
  const std::string command = "df -P; ls /usr/bin | head -n 200";
  std::vector<double> loops, bare;
  for (int i = 0; i < repeats; ++i) {  // In turns, so that a busy machine is busy for both.
    Bench bench(command, kRounds);
    auto start = Clock::now();
    for (int round = 1; round < kRounds; ++round) bench.run_bare(command);
    bare.push_back(milliseconds_since(start));
    start = Clock::now();
    if (!bench.ask("Why is it full?", std::string(8'000, 't'))) return false;
    loops.push_back(milliseconds_since(start));
  }
  bench::print({"ten-round loop", "ms", bench::median(loops), "its nine commands", bench::median(bare),
                bench::Better::lower, bench::Goal{bench::Of::ratio, 1.15}});
  return true;
}

bool measure_requests() {
  Bench bench("ls /usr/bin | head -n 400", 4);
  std::vector<std::size_t> sizes;
  double worst = 1;
  for (int i = 0; i < 50; ++i) {
    const std::size_t first = bench.model.requests.size();
    if (!bench.ask("Question " + std::to_string(i), std::string(20'000, 't'))) return false;
    for (std::size_t k = first + 1; k < bench.model.requests.size(); ++k) {
      const auto& before = bench.model.requests[k - 1];
      const auto& now = bench.model.requests[k];
      const auto same = std::mismatch(before.begin(), before.end(), now.begin(), now.end()).first - before.begin();
      worst = std::min(worst, static_cast<double>(same) / static_cast<double>(before.size()));
    }
    sizes.push_back(bench.model.requests.back().size());
  }
  bench::print(
      {"prefix repeated, worst", "%", 100 * worst, "", 0, bench::Better::higher, bench::Goal{bench::Of::figure, 95}});
  bench::print({"request of question 50", "bytes", static_cast<double>(sizes[49]), "of question 10",
                static_cast<double>(sizes[9]), bench::Better::lower, bench::Goal{bench::Of::ratio, 2}});
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (measure_loop(bench::quick(argc, argv) ? 5 : 25) && measure_requests()) return 0;
  std::fprintf(stderr, "a question did not end well\n");
  return 1;
}
