#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/assistant/assistant_settings.h"
#include "app/assistant/model_settings.h"
#include "app/command_line.h"
#include "app/commands/commands.h"
#include "app/config/config.h"
#include "app/config/exec_options.h"
#include "app/config/state_dir.h"
#include "app/session/session.h"
#include "app/target/pick_target.h"
#include "app/target/recent_targets.h"
#include "app/target/target.h"
#include "app/target/target_sources.h"
#include "event/event_loop.h"
#include "panel/messages.h"
#include "terminal/capabilities.h"
#include "terminal/outer_terminal.h"

namespace app {
namespace {

struct OpenOptions {
  TargetOptions target;
  ModelChoice model;
  std::string mode;
  std::string record;
  bool plain = false;
};

base::Result<std::optional<Recorder>> recorder_for(const OpenOptions& options, base::Size size) {
  if (options.record.empty()) return std::optional<Recorder>();
  auto created = Recorder::create(options.record, size);
  if (!created) return base::fail(created.error());
  return std::optional<Recorder>(std::move(*created));
}

/// For a bare `jms`: what the operator chooses from the list.
base::Result<PickedTarget> choose_target(const TargetOptions& given, const Config& config, const ModelSetup& model,
                                         const std::string& state) {
  std::vector<std::unique_ptr<TargetSource>> sources;
  if (!state.empty()) sources.push_back(recent_source(state));
  sources.push_back(ssh_config_source(given));
  for (auto& source : jumpserver_sources(config, given)) sources.push_back(std::move(source));
  sources.push_back(local_source());
  const bool no_model = model.provider == Provider::offline;
  return pick_target(sources, given,
                     no_model ? panel::say(panel::Message::picker_no_model, {default_config_path()}) : "",
                     config.theme);
}

int open_target(OpenOptions options, const CommonOptions& common) {
  const auto config = load_config_or_defaults(common.config_path);
  if (!config) return complain(config.error().message, kUsage);
  panel::use_language(panel::operators_language(config->language));
  const auto mode = mode_option(options.mode);
  if (!mode) return complain(mode.error().message, kUsage);
  const auto model = model_setup(options.model, *config);
  if (!model) return complain(model.error().message, kUsage);
  const auto state = state_dir();
  if (options.target.target.empty()) {
    auto picked = choose_target(options.target, *config, *model, state ? *state : "");
    if (!picked) return complain(picked.error().message, kUsage);
    if (picked->signal != 0) die_by(picked->signal);
    if (!picked->target) return kDone;
    options.target = std::move(*picked->target);
  }
  event::EventLoop loop;
  TargetFacts facts;
  auto factory = connect_to(loop, options.target, *config, facts);
  if (!factory) return complain_or_die(factory.error(), options.target, facts);
  auto assistant = assistant_settings(*config, options.target, *mode, facts.place);
  if (!assistant) return complain(assistant.error().message, kUsage);
  if (state) factory = noting_success(std::move(*factory), RecentTargets(*state), options.target);
  auto outer = terminal::OuterTerminal::open();
  if (!outer) return complain(outer.error().message, kFailed);
  const auto capabilities = terminal::Capabilities::of_environment();
  auto recorder = recorder_for(options, outer->size());
  if (!recorder) return complain(recorder.error().message, kFailed);
  if (auto raw = outer->enter_raw(); !raw) return complain(raw.error().message, kFailed);
  Session::End end;
  {
    Session session(loop, *outer, capabilities,
                    {.target = options.target.target,
                     .hotkey = config->hotkey,
                     .theme = config->theme,
                     .hint = config->hint,
                     .plain = options.plain,
                     .scrollback_lines = config->scrollback_lines,
                     .model = *model,
                     .assistant = std::move(*assistant),
                     .escapes = {config->escapes_clipboard, config->escapes_reports, config->escapes_window_changes,
                                 config->escapes_file_transfer},
                     // Without a state directory the assistant says why it cannot start; the session does not need it.
                     .exec = exec_options(*config, facts, state ? *state + "/outputs" : ""),
                     .outputs = state ? *state + "/outputs" : "",
                     .state = state ? *state : "",
                     .config_path = common.config_path,
                     .recorder = *recorder ? &**recorder : nullptr});
    end = session.run(std::move(*factory));
  }
  outer->leave();
  if (*recorder) {
    (*recorder)->flush();
    if (const auto why = (*recorder)->take_failure()) complain(*why, kFailed);
  }
  if (end.signal != 0) die_by(end.signal);
  if (!end.reason.empty()) complain(end.reason, kFailed);
  return end.exit_code;
}

}  // namespace

void add_target_options(CLI::App& command, TargetOptions& target) {
  command.add_option("--shell", target.shell, "What `local` runs instead of $SHELL")->type_name("PROGRAM");
  command.add_option("-J", target.jump, "Bastions on the way, as in ssh")->type_name("HOP[,HOP]");
  command.add_option("-i", target.identities, "Identity file, as in ssh; may be repeated")
      ->type_name("KEY")
      ->allow_extra_args(false);
  command.add_option("-p", target.port, "Port")->type_name("PORT")->check(CLI::Range(1, 65535));
  command.add_option("-l", target.user, "User")->type_name("USER");
  command.add_option("-F", target.ssh_config, "ssh_config file to use instead of ~/.ssh/config")->type_name("FILE");
  command.add_option("-o", target.ssh_options, "ssh_config option, as in ssh; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--profile", target.profile, "Which JumpServer, for jms://")->type_name("NAME");
  command.add_option("--via", target.via, "How a JumpServer asset is reached: auto, ws or ssh")
      ->check(CLI::IsMember({"auto", "ws", "ssh"}));
  command.add_option("--protocol", target.protocol, "Which of a JumpServer asset's protocols")->type_name("NAME");
  command.add_flag("-A", target.forward_agent, "Forward the authentication agent");
}

void add_open_target(CLI::App& jms, const CommonOptions& common, Outcome& outcome) {
  auto options = std::make_shared<OpenOptions>();
  jms.add_option("TARGET", options->target.target,
                 "What to open: local | [ssh://][user@]host[:port] | jms://[account@]asset | ws(s)://host/ (ttyd); "
                 "aliases of ~/.ssh/config included");
  add_target_options(jms, options->target);
  add_model_options(jms, options->model);
  jms.add_option("--mode", options->mode, "What the assistant may do unasked: read-only, ask or auto");
  jms.add_flag("--plain", options->plain, "The panel as lines of text, for screen readers");
  jms.add_option("--record", options->record, "Record the session's output as asciicast v2")->type_name("FILE.cast");
  // CLI11 runs this callback also after a subcommand; only a command line without one opens a target.
  jms.callback([&jms, options, &common, &outcome] {
    if (jms.get_subcommands().empty()) outcome.exit_code = open_target(*options, common);
  });
}

}  // namespace app
