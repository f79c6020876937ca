#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/end_signals.h"
#include "app/commands/input_lines.h"
#include "app/config/config.h"
#include "app/config/exec_options.h"
#include "app/config/state_dir.h"
#include "app/target/target.h"
#include "base/log.h"
#include "base/one_line.h"
#include "base/words.h"
#include "event/event_loop.h"
#include "event/signal_watch.h"
#include "remote_exec/exec_session.h"

namespace app {
namespace {

constexpr int kUnknownExit = 125;
constexpr int kTimedOut = 124;
constexpr double kShortestSeconds = 0.1;
constexpr double kLongestSeconds = 600;

struct ExecOptions {
  TargetOptions target;
  std::vector<std::string> words;
  bool json = false;
  bool batch = false;
  double timeout_s = 60;
};

/// Nobody is there to answer: whatever would be asked ends the connection with a sentence that says what to do.
class NobodyThere final : public transport::SshPrompter {
 public:
  void ask(const transport::SshQuestion& question, Reply reply) override {
    complaint_ =
        what_is_missing(question) + "; nobody is here to answer, so connect once with `jms` and the same target";
    if (question.kind == transport::SshQuestion::Kind::passphrase) complaint_ += ", or add the key to ssh-agent";
    if (!question.note.empty()) complaint_ = question.note + "; " + complaint_;
    reply(std::nullopt);
  }
  void withdraw() override {}
  bool can_answer() const override { return false; }

  /// What could not be answered; empty when nothing was asked.
  const std::string& complaint() const { return complaint_; }
  void forget() { complaint_.clear(); }

 private:
  static std::string what_is_missing(const transport::SshQuestion& question) {
    using Kind = transport::SshQuestion::Kind;
    switch (question.kind) {
      case Kind::host_key:
        return "the host key of " + question.hop + " is not known";
      case Kind::passphrase:
        return "an identity file for " + question.hop + " wants its passphrase";
      case Kind::password:
        return question.hop + " wants a password";
      case Kind::challenge:
      case Kind::local:
        break;
    }
    return question.hop + " asks something that only a person can answer";
  }

  std::string complaint_;
};

nlohmann::ordered_json to_json(const remote_exec::CommandResult& result) {
  nlohmann::ordered_json json;
  json["command"] = result.command;
  json["output"] = result.output;
  json["exit_code"] = result.exit_code ? nlohmann::ordered_json(*result.exit_code) : nlohmann::ordered_json(nullptr);
  json["status"] = remote_exec::status_name(result.status);
  json["duration_ms"] = result.duration.count();
  json["truncated"] = result.truncated;
  json["total_bytes"] = result.total_bytes;
  json["framing"] = remote_exec::framing_name(result.framing);
  if (!result.note_for_operator.empty()) json["note"] = result.note_for_operator;
  return json;
}

void print_json(const remote_exec::CommandResult& result) {
  std::cout << to_json(result).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
}

/// One session and the commands that run in it, one after the other.
class Exec {
 public:
  Exec(event::EventLoop& loop, const ExecOptions& options) : loop_(loop), options_(options) {}
  /// A bastion hears that the session is over, whatever made us leave.
  ~Exec() {
    if (session_) session_->hang_up();
  }
  Exec(const Exec&) = delete;
  Exec& operator=(const Exec&) = delete;

  base::Result<void> open(const Connection::Factory& factory, const remote_exec::Options& how) {
    auto transport = factory({24, 120}, nobody_,
                             {.on_progress = [](const std::string& what) { tell(what); },
                              .on_remark = [](const std::string& line) { tell(line); },
                              .on_ready = [this] { connected(); },
                              .on_notice = [this](const transport::SessionNotice& notice) { on_notice(notice); },
                              .on_way = [this](const std::string& line) { take_way(line); }});
    if (!transport) return base::fail(transport.error());
    remote_exec::ExecSession::Settings settings;
    settings.size = {24, 120};
    settings.options = how;
    settings.announced = true;
    session_ = std::make_unique<remote_exec::ExecSession>(loop_, std::move(*transport), settings);
    if (connected_) session_->connected();
    interrupt_.emplace(loop_, SIGINT, [this] { interrupt(); });
    end_.emplace(loop_, [this](int signal_number) { give_up(signal_number); });
    session_->start();
    return {};
  }

  /// A session that was never reached is a failure of ours; what was lost later is a code that nobody knows.
  int exit_code_of(const remote_exec::CommandResult& result) const {
    if (result.status == remote_exec::Status::timeout) return kTimedOut;
    if (result.status == remote_exec::Status::interrupted) return kInterrupted;
    if (!connected_ || (result.status == remote_exec::Status::disconnected && !session_->ready())) return kFailed;
    return result.exit_code.value_or(kUnknownExit);
  }

  int run_one(const std::string& command) {
    const auto result = run(command, options_.timeout_s, !options_.json);
    if (ended_by_ != 0) return kInterrupted;  // Nobody waits for a result.
    if (options_.json) {
      print_json(result);
    } else if (!result.note_for_operator.empty() && !told_already(result)) {
      complain(result.note_for_operator, kFailed);
    }
    return exit_code_of(result);
  }

  int run_batch() {
    InputLines input(loop_, STDIN_FILENO);
    while (const auto line = next_line(input)) {
      if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
      const auto request = nlohmann::json::parse(*line, nullptr, false);
      if (!request.is_object() || !request.contains("command") || !request["command"].is_string())
        return complain("a line of --batch wants {\"command\":\"…\"}; got: " + line->substr(0, 80), kUsage);
      double timeout = options_.timeout_s;
      if (const auto found = request.find("timeout_s"); found != request.end() && found->is_number())
        timeout = found->get<double>();
      const auto result = run(request["command"].get<std::string>(), timeout, false);
      if (ended_by_ != 0) break;
      print_json(result);
      if (given_up_ || result.status == remote_exec::Status::disconnected) return exit_code_of(result);
    }
    return given_up_ ? kInterrupted : kDone;
  }

  /// The signal by which the process should die now; 0: none.
  int ended_by() const { return ended_by_; }

 private:
  static void tell(const std::string& what) {
    if (isatty(STDERR_FILENO)) std::fprintf(stderr, "jms: %s\n", what.c_str());
  }

  /// In JSON it goes into the note of the first result.
  void take_way(const std::string& line) {
    way_ = line;
    if (!options_.json && !options_.batch) complain(line, kDone);
  }

  /// Nothing at the end of the input, and when it is given up.
  std::optional<std::string> next_line(InputLines& input) {
    while (!given_up_) {
      if (auto line = input.next()) return line;
      if (input.ended()) break;
      input.wait();
    }
    return std::nullopt;
  }

  remote_exec::CommandResult run(const std::string& command, double timeout_s, bool live) {
    running_ = true;
    std::optional<remote_exec::CommandResult> result;
    remote_exec::ExecRequest request;
    request.command = command;
    request.timeout =
        std::chrono::milliseconds(static_cast<long>(std::clamp(timeout_s, kShortestSeconds, kLongestSeconds) * 1000));
    request.attended = false;
    remote_exec::RunCallbacks callbacks;
    if (live) callbacks.on_output = [](std::string_view text) { std::cout << text << std::flush; };
    callbacks.on_done = [&](remote_exec::CommandResult done) {
      result = std::move(done);
      loop_.stop();
    };
    session_->run(std::move(request), std::move(callbacks));
    while (!result && !given_up_) loop_.run();
    running_ = false;
    if (!result) return never_ran(command);
    if (!connected_ || result->status == remote_exec::Status::disconnected) say_why(*result);
    if (std::string way = std::exchange(way_, {}); connected_ && !way.empty() && (options_.json || options_.batch)) {
      std::string& note = result->note_for_operator;
      note = note.empty() ? std::move(way) : way + ". " + note;
    }
    return std::move(*result);
  }

  /// Told at once, for a command may take its time; its result tells it again where it matters.
  void on_notice(const transport::SessionNotice& notice) {
    complain(notice.text, kDone);
    if (session_) session_->notice(notice);
  }

  /// A command that did well adds nothing to the notices that came while it ran.
  static bool told_already(const remote_exec::CommandResult& result) {
    return result.status == remote_exec::Status::done && result.note_for_operator == result.notices;
  }

  void connected() {
    connected_ = true;
    nobody_.forget();  // What could not be answered on the way here did not matter.
    if (session_) session_->connected();
  }

  /// Before there is a session, and between the lines of a batch, nothing runs that could be interrupted: all is given
  /// up.
  void interrupt() {
    if (connected_ && running_) return session_->stop();
    given_up_ = true;
    loop_.stop();
  }

  void give_up(int signal_number) {
    ended_by_ = signal_number;
    given_up_ = true;
    loop_.stop();
  }

  static remote_exec::CommandResult never_ran(const std::string& command) {
    remote_exec::CommandResult result;
    result.command = command;
    result.status = remote_exec::Status::interrupted;
    result.note_for_operator = "interrupted while connecting; the command has not run";
    return result;
  }

  void say_why(remote_exec::CommandResult& result) const {
    if (!nobody_.complaint().empty()) {
      const bool untold = !way_.empty() && (options_.json || options_.batch);
      result.note_for_operator = (untold ? way_ + "; " : "") + nobody_.complaint();
    } else if (const auto& closed = session_->closed(); !connected_ && closed && !closed->reason.empty()) {
      result.note_for_operator = closed->reason;  // Nothing was typed that could have run.
    } else if (!connected_ && result.status == remote_exec::Status::needs_input) {
      result.note_for_operator = "the way to the host asks `" +
                                 base::one_line(base::trimmed(session_->screen().line_at_cursor()), 120) +
                                 "`; nobody is here to answer, so connect with `jms` and the same target";
    }
  }

  event::EventLoop& loop_;
  const ExecOptions& options_;
  NobodyThere nobody_;
  std::unique_ptr<remote_exec::ExecSession> session_;
  std::optional<event::SignalWatch> interrupt_;
  std::optional<EndSignals> end_;
  int ended_by_ = 0;
  std::string way_;  ///< How the target was reached, until a result has told it.
  bool connected_ = false;
  bool running_ = false;   ///< A command is under way, or waits for the session.
  bool given_up_ = false;  ///< Ctrl-C came when no command ran.
};

/// For --json: a target that could not be opened is a result, with the reason in its note.
int never_reached(const std::string& command, const std::string& why) {
  remote_exec::CommandResult result;
  result.command = command;
  result.status = remote_exec::Status::disconnected;
  result.note_for_operator = why;
  print_json(result);
  return kFailed;
}

int exec(ExecOptions options, const CommonOptions& common) {
  if (options.words.empty() != options.batch)
    return complain("give a command after `--`, or --batch and commands on standard input", kUsage);
  const auto config = load_config_or_defaults(common.config_path);
  if (!config) return complain(config.error().message, kUsage);
  // Without a state directory long outputs are not kept; the command does not need it.
  const auto state = state_dir();
  if (!state) base::log_error(state.error().message);
  event::EventLoop loop;
  TargetFacts facts;
  auto factory = connect_to(loop, options.target, *config, facts);
  if (!factory && options.json && code_for_failure(options.target, facts) == kFailed)
    return never_reached(base::joined(options.words, " "), factory.error().message);
  if (!factory) return complain_or_die(factory.error(), options.target, facts);
  int code = kDone, ended_by = 0;
  {
    Exec exec(loop, options);
    if (auto opened = exec.open(*factory, exec_options(*config, facts, state ? *state + "/outputs" : "")); !opened)
      return complain(opened.error().message, kFailed);
    code = options.batch ? exec.run_batch() : exec.run_one(base::joined(options.words, " "));
    ended_by = exec.ended_by();
  }
  if (ended_by != 0) die_by(ended_by);
  return code;
}

}  // namespace

void add_exec(CLI::App& jms, const CommonOptions& common, Outcome& outcome) {
  CLI::App* command = jms.add_subcommand("exec", "Run a command in a session of its own: its output, its exit code");
  auto options = std::make_shared<ExecOptions>();
  command->add_option("TARGET", options->target.target, "Where to run it")->required();
  command->add_option("COMMAND", options->words, "The command, after `--`");
  command->add_flag("--json", options->json, "The whole result as one JSON line");
  command->add_flag("--batch", options->batch, "Many commands in one session: JSON lines in, one result line each");
  command->add_option("--timeout", options->timeout_s, "Seconds a command may take")
      ->type_name("SECONDS")
      ->check(CLI::Range(kShortestSeconds, kLongestSeconds))
      ->capture_default_str();
  add_target_options(*command, options->target);
  options->target.headless = true;
  command->callback([options, &common, &outcome] { outcome.exit_code = exec(*options, common); });
}

}  // namespace app
