#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "event/fiber.h"
#include "transport/ssh/openssh_engine.h"
#include "transport/ssh/openssh_transport.h"
#include "transport/ssh/ssh_channel.h"
#include "transport/ssh/ssh_config.h"
#include "transport/ssh/ssh_connector.h"
#include "transport/ssh/ssh_prompter.h"
#include "transport/transport.h"

namespace transport {

/// A terminal on a remote host over SSH, through any chain of bastions.
///
/// start() connects; what is sent before the shell is there is kept for it. libssh2 speaks the protocol; what it cannot
/// do is handed to the system's ssh on a pty of ours, and `on_engine` says so. A transport connects once: to reconnect,
/// make a new one.
class SshTransport final : public Transport {
 public:
  struct Target {
    Destination destination;
    ConfigOptions config;
    EngineChoice engine = EngineChoice::automatic;
    std::string term = "xterm-256color";
    base::Size size;
    std::string command;  ///< Empty: RemoteCommand of the configuration, or else the login shell.
    /// A program that passes on the questions of the system's ssh (run_as_askpass_helper); empty: ssh asks on its pty.
    std::string askpass;
    std::string hidden_user;  ///< A user name that stands in nothing the operator reads.
    std::string refusal;      ///< What a sign-in that the destination refuses means; empty: as the engine says it.
  };
  /// Each may be empty. Called from the loop; each may destroy the transport.
  struct Hooks {
    std::function<void(const std::string&)> on_progress;   ///< "checking the host key of web1…"
    std::function<void(const EngineDecision&)> on_engine;  ///< Once, when the engine is chosen.
    std::function<void()> on_ready;                        ///< The session stands.
  };

  /// `prompter` must outlive the transport.
  SshTransport(event::EventLoop& loop, Target target, SshPrompter& prompter, Hooks hooks);
  ~SshTransport() override;

  void start(Events events) override;
  void send(std::string_view bytes) override;
  std::size_t unsent() const override;
  void resize(base::Size size) override;
  void pause_reading() override;
  void resume_reading() override;
  void close() override;

  bool ready() const { return channel_ != nullptr || (openssh_ != nullptr && openssh_->ready()); }

 private:
  void connect();
  base::Result<EngineDecision> decide(const std::vector<HostSettings>& chain) const;
  base::Result<void> open(const std::vector<HostSettings>& chain);
  void run_shell(std::unique_ptr<SshSession> session, _LIBSSH2_CHANNEL* channel);
  base::Result<void> run_openssh(const EngineDecision& decision, const std::vector<HostSettings>& chain);
  void begin();
  void tell_engine(const EngineDecision& decision);
  bool is_refusal(std::string_view reason) const;
  void finish(Closed closed);
  void finish_after_end();

  event::EventLoop& loop_;
  Target target_;
  Hooks hooks_;
  Events events_;
  SshPrompter& prompter_;
  ConnectionSetup setup_;
  std::string early_;  ///< Typed before there was a shell.
  bool paused_ = false;
  bool closing_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::unique_ptr<SshSession> session_;
  std::unique_ptr<SshChannel> channel_;
  std::unique_ptr<OpensshTransport> openssh_;
  std::unique_ptr<event::Fiber> fiber_;
};

}  // namespace transport
