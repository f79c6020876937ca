#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "agent/event_writer.h"
#include "app/assistant/assistant_settings.h"
#include "app/assistant/headless_agent.h"
#include "app/command_line.h"
#include "app/commands/ask.h"
#include "app/config/config.h"
#include "app/config/exec_options.h"
#include "event/event_loop.h"
#include "safety/sanitizer.h"

namespace app {
namespace {

/// The answer on standard output, what is done for it on standard error.
class PlainObserver final : public agent::Observer {
 public:
  void on_text(std::string_view text) override { std::cout << safety::sanitize(text) << std::flush; }
  void on_tool_call(const agent::ToolCall& call) override { note("· " + call.activity); }
  void on_tool_result(const agent::ToolCall&, const agent::ToolResult& result) override {
    if (result.is_error) note("  " + result.content.substr(0, result.content.find('\n')));
  }
  void on_retry(const model::Retry& retry) override { note("· trying again: " + retry.reason.message); }
  void on_notice(std::string_view notice) override { note("· " + std::string(notice)); }
  void on_end(const agent::End& end) override {
    std::cout << std::endl;
    if (!end.note.empty()) note("jms: " + end.note);
  }

 private:
  static void note(const std::string& line) { std::cerr << safety::sanitize(line) << "\n"; }
};

int exit_code_of(const agent::End& end) {
  if (end.ending == agent::Ending::completed) return kDone;
  return end.ending == agent::Ending::aborted ? kInterrupted : kFailed;
}

}  // namespace

int ask(AskOptions options, const CommonOptions& common) {
  const auto config = load_config_or_defaults(common.config_path);
  if (!config) return complain(config.error().message, kUsage);
  const auto mode = mode_option(options.mode);
  if (!mode) return complain(mode.error().message, kUsage);
  auto setup = model_setup(options.model, *config);
  if (!setup) return complain(setup.error().message, kUsage);
  event::EventLoop loop;
  TargetFacts facts;
  auto factory = connect_to(loop, options.target, *config, facts);
  if (!factory) return complain_or_die(factory.error(), options.target, facts);
  auto settings = assistant_settings(*config, options.target, *mode, facts.place);
  if (!settings) return complain(settings.error().message, kUsage);
  HeadlessAgent headless(loop,
                         {.target = options.target.target,
                          .exec = exec_options(*config, facts, ""),
                          .settings = std::move(*settings),
                          .allow_changes = options.yes_changes,
                          .resume_id = options.resume_id},
                         std::move(*setup));
  if (auto opened = headless.open(*factory); !opened) {
    headless.hang_up();
    if (headless.ended_by() != 0) die_by(headless.ended_by());
    return complain(opened.error().message, kFailed);
  }
  agent::EventWriter writer([](const std::string& line) { std::cout << line << std::endl; });
  PlainObserver plain;
  agent::Observer& observer = options.json ? static_cast<agent::Observer&>(writer) : plain;
  const auto end = headless.ask(options.question, observer);
  const auto lost = headless.lost();
  headless.hang_up();
  if (!end) die_by(headless.ended_by());
  // An answer about a host that was never reached is no answer.
  if (lost) return complain(*lost, kFailed);
  // Nor is one that had to do without its commands.
  if (const auto why = headless.unrecorded())
    return complain("not everything was run or recorded, the audit record cannot be written: " + *why, kFailed);
  return exit_code_of(*end);
}

void add_ask_options(CLI::App& command, AskOptions& options) {
  options.target.headless = true;
  command.add_flag("--json", options.json, "One event per line");
  command.add_option("--mode", options.mode, "read-only, ask or auto");
  command.add_flag("--yes-changes", options.yes_changes, "Run what would ask; destructive commands never run headless");
  add_model_options(command, options.model);
}

void add_ask(CLI::App& jms, const CommonOptions& common, Outcome& outcome) {
  CLI::App* command = jms.add_subcommand("ask", "Let the agent answer a question about a target");
  auto options = std::make_shared<AskOptions>();
  command->add_option("TARGET", options->target.target, "Where to look")->required();
  command->add_option("QUESTION", options->question, "What to find out")->required();
  add_ask_options(*command, *options);
  add_target_options(*command, options->target);
  command->callback([options, &common, &outcome] { outcome.exit_code = ask(*options, common); });
}

}  // namespace app
