#include "app/target/target.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/assistant/assistant_settings.h"
#include "app/command_line.h"
#include "app/target/ssh_answers.h"
#include "app/target/websocket_target.h"
#include "base/environment.h"
#include "transport/pty_transport.h"
#include "transport/ssh/destination.h"
#include "transport/ssh/ssh_transport.h"
#include "transport/websocket/websocket_url.h"

namespace app {
namespace {

// What a remote is told when our own terminal does not say what it is: the kind nearly all of them are.
constexpr const char* kUsualTerm = "xterm-256color";

std::string operators_shell() {
  if (std::string shell = base::environment("SHELL"); !shell.empty()) return shell;
  if (const passwd* entry = getpwuid(getuid()); entry && entry->pw_shell && *entry->pw_shell) return entry->pw_shell;
  return "/bin/sh";
}

Connection::Factory local_shell(event::EventLoop& loop, const std::string& shell) {
  return [&loop, shell](base::Size size, transport::SshPrompter&,
                        Connection::Hooks hooks) -> base::Result<std::unique_ptr<transport::Transport>> {
    auto launched = transport::PtyTransport::launch(
        loop, {.argv = {shell}, .environment = {"TERM=" + operators_term()}, .size = size});
    if (!launched) return base::fail(launched.error());
    hooks.on_ready();
    return std::move(*launched);
  };
}

Connection::Factory ssh_session(event::EventLoop& loop, transport::SshTransport::Target target,
                                const std::vector<SshCredentials>& credentials) {
  return [&loop, target = std::move(target), answers = std::make_shared<SshAnswers>(loop, credentials)](
             base::Size size, transport::SshPrompter& operators_prompter,
             Connection::Hooks hooks) -> base::Result<std::unique_ptr<transport::Transport>> {
    transport::SshPrompter& prompter = answers->before(operators_prompter);
    auto sized = target;
    sized.size = size;
    transport::SshTransport::Hooks ssh_hooks;
    ssh_hooks.on_progress = std::move(hooks.on_progress);
    ssh_hooks.on_ready = std::move(hooks.on_ready);
    ssh_hooks.on_engine = [remark = std::move(hooks.on_remark)](const transport::EngineDecision& decision) {
      if (decision.engine == transport::SshEngine::openssh) remark("using the system's ssh: " + decision.reason);
    };
    return std::make_unique<transport::SshTransport>(loop, std::move(sized), prompter, std::move(ssh_hooks));
  };
}

}  // namespace

std::string operators_term() {
  const std::string term = base::environment("TERM");
  return term.empty() ? kUsualTerm : term;
}

std::string own_program() {
  std::error_code trouble;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", trouble);
  // The file of a jms that was replaced meanwhile is gone; the kernel still has it.
  if (!trouble && std::filesystem::exists(path, trouble)) return path.string();
  return "/proc/" + std::to_string(::getpid()) + "/exe";
}

int code_for_failure(const TargetOptions& options, const TargetFacts& facts) {
  if (facts.ended_by != 0) return kInterrupted;
  return options.target.starts_with("jms://") ? kFailed : kUsage;
}

base::Result<Connection::Factory> connect_to(event::EventLoop& loop, TargetOptions& options, const Config& config,
                                             TargetFacts& facts) {
  const std::string given = std::exchange(options.target, transport::without_password(options.target));
  facts.place = rule_target(options);
  if (options.target.starts_with("jms://")) return connect_to_asset(loop, options, config, facts);
  if (options.target == "local") {
    const std::string& chosen = !options.shell.empty() ? options.shell : config.shell;
    return local_shell(loop, chosen.empty() ? operators_shell() : chosen);
  }
  if (options.target.starts_with("ws://") || options.target.starts_with("wss://")) return connect_to_ttyd(loop, given);
  auto destination = transport::parse_destination(options.target);
  if (!destination) return base::fail(destination.error());
  if (!options.jump.empty())
    if (auto chain = transport::parse_jump_chain(options.jump); !chain) return base::fail(chain.error());
  transport::SshTransport::Target target;
  target.destination = *destination;
  target.config.config_file = options.ssh_config;
  target.config.identity_files = options.identities;
  target.config.jump = options.jump;
  target.config.user = options.user;
  target.config.port = options.port;
  target.config.options = options.ssh_options;
  target.config.forward_agent = options.forward_agent;
  target.engine = config.ssh_engine;
  target.term = operators_term();
  target.askpass = own_program();
  return ssh_session(loop, std::move(target), config.ssh_credentials);
}

}  // namespace app
