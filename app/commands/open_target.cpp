#include <pwd.h>
#include <signal.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "app/command_line.h"
#include "app/commands/commands.h"
#include "app/config.h"
#include "app/session.h"
#include "event/event_loop.h"
#include "terminal/capabilities.h"
#include "terminal/outer_terminal.h"
#include "transport/pty_transport.h"

namespace app {
namespace {

struct OpenOptions {
  std::string target;
  std::string shell;
  std::string record;
};

std::string operators_shell() {
  if (const char* shell = std::getenv("SHELL"); shell && *shell) return shell;
  if (const passwd* entry = getpwuid(getuid()); entry && entry->pw_shell && *entry->pw_shell) return entry->pw_shell;
  return "/bin/sh";
}

base::Result<std::unique_ptr<transport::Transport>> connect(event::EventLoop& loop, const OpenOptions& options,
                                                            const Config& config, base::Size size) {
  transport::PtyTransport::Program program;
  program.argv = {!options.shell.empty() ? options.shell : !config.shell.empty() ? config.shell : operators_shell()};
  program.size = size;
  // The shell's bytes go to this very terminal, so its TERM is the right one; a terminal that does not say is spoken
  // to as the kind nearly all of them are.
  if (const char* term = std::getenv("TERM"); !term || !*term) program.environment.push_back("TERM=xterm-256color");
  auto launched = transport::PtyTransport::launch(loop, program);
  if (!launched) return base::fail(launched.error());
  return std::move(*launched);
}

/// Lets the signal that ended the session end the process too, so that whoever waits for jms sees the truth.
[[noreturn]] void die_by(int signal_number) {
  signal(signal_number, SIG_DFL);
  raise(signal_number);
  std::_Exit(128 + signal_number);
}

int open_target(const OpenOptions& options, const CommonOptions& common) {
  if (options.target.empty()) return complain("name a target, such as `jms local`; see `jms --help`", kUsage);
  if (options.target != "local")
    return complain("cannot open `" + options.target + "`: this version opens only `local`", kUsage);
  const auto config = load_config_or_defaults(common.config_path);
  if (!config) return complain(config.error().message, kUsage);
  auto outer = terminal::OuterTerminal::open();
  if (!outer) return complain(outer.error().message, kFailed);
  const auto capabilities = terminal::Capabilities::of_environment();
  std::optional<Recorder> recorder;
  if (!options.record.empty()) {
    auto created = Recorder::create(options.record, outer->size());
    if (!created) return complain(created.error().message, kFailed);
    recorder.emplace(std::move(*created));
  }

  event::EventLoop loop;
  auto transport = connect(loop, options, *config, outer->size());
  if (!transport) return complain(transport.error().message, kFailed);
  if (auto raw = outer->enter_raw(); !raw) return complain(raw.error().message, kFailed);
  Session::End end;
  {
    Session session(loop, *outer, capabilities,
                    {.target = options.target,
                     .hotkey = config->hotkey,
                     .hint = config->hint,
                     .scrollback_lines = config->scrollback_lines,
                     .recorder = recorder ? &*recorder : nullptr});
    end = session.run(std::move(*transport));
  }
  outer->leave();
  if (end.signal != 0) die_by(end.signal);
  if (!end.reason.empty()) complain(end.reason, kFailed);
  return end.exit_code;
}

}  // namespace

void add_open_target(CLI::App& jms, const CommonOptions& common, Outcome& outcome) {
  auto options = std::make_shared<OpenOptions>();
  jms.add_option("TARGET", options->target, "What to open: `local` is a shell on this machine");
  jms.add_option("--shell", options->shell, "What `local` runs instead of $SHELL")->type_name("PROGRAM");
  jms.add_option("--record", options->record, "Record the session's output as asciicast v2")->type_name("FILE.cast");
  // CLI11 runs this callback also after a subcommand; only a command line without one opens a target.
  jms.callback([&jms, options, &common, &outcome] {
    if (jms.get_subcommands().empty()) outcome.exit_code = open_target(*options, common);
  });
}

}  // namespace app
