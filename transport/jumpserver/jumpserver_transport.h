#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "event/fiber.h"
#include "transport/jumpserver/connection_token.h"
#include "transport/jumpserver/core_client.h"
#include "transport/jumpserver/koko_ticket.h"
#include "transport/jumpserver/koko_transport.h"
#include "transport/jumpserver/visit.h"
#include "transport/ssh/connection_setup.h"
#include "transport/ssh/ssh_prompter.h"
#include "transport/ssh/ssh_transport.h"
#include "transport/transport.h"

namespace transport::jumpserver {

/// A terminal on an asset of JumpServer: gets a connection token, then lets koko's WebSocket or an SSH session carry
/// the bytes. When the link to the bastion does not come about one way, and nothing has been decided or typed yet, the
/// other way is tried with a fresh token. Connects once; a new one on the same Visit exchanges the token, and its shell
/// is a new one.
class JumpServerTransport final : public Transport {
 public:
  struct Hooks {
    std::function<void(const std::string&)> on_progress;
    std::function<void()> on_ready;
    std::function<void(const KokoEvent&)> on_event;  ///< What the bastion does beside the bytes; WebSocket only.
    std::function<void(const std::string&)> on_way;  ///< Which way was taken and why, where that is not plain.
  };

  struct Options {
    base::Size size;
    std::string term = "xterm-256color";
    ConfigOptions ssh;  ///< Files (for the jump hosts) and options of the operator; how to authenticate is ours to say.
    EngineChoice ssh_engine = EngineChoice::automatic;
    std::string askpass;  ///< As SshTransport::Target takes it.
  };

  /// `prompter` must outlive the transport.
  JumpServerTransport(event::EventLoop& loop, std::shared_ptr<Visit> visit, Options options, SshPrompter& prompter,
                      Hooks hooks);
  ~JumpServerTransport() override;

  void start(Events events) override;
  void send(std::string_view bytes) override;
  std::size_t unsent() const override { return inner_ ? inner_->unsent() : early_.size(); }
  void resize(base::Size size) override;
  void pause_reading() override;
  void resume_reading() override;
  void close() override;

 private:
  /// Answers one question with the token, once: the password of the token's own user at koko's host. All others, those
  /// of hops above all, are the operator's business.
  class TokenPrompter final : public SshPrompter {
   public:
    TokenPrompter(SshPrompter& outer, const Destination& koko, std::string_view value)
        : outer_(outer), koko_(koko), value_(value) {}
    void ask(const SshQuestion& question, Reply reply) override;
    void withdraw() override { outer_.withdraw(); }
    bool can_answer() const override { return outer_.can_answer(); }
    bool terminal_is_free() const override { return outer_.terminal_is_free(); }
    /// The token is used up.
    bool given() const { return given_; }

   private:
    SshPrompter& outer_;
    Destination koko_;  ///< Its user "JMS-…" is left out of what the operator reads.
    Secret value_;
    bool given_ = false;
  };

  void run_connect();
  void connect();
  CoreResult<std::unique_ptr<Transport>> prepare();
  CoreResult<Pass> get_pass(TokenDesk& desk);
  void tell_way(const std::string& line);
  std::unique_ptr<Transport> over_websocket(KokoTicket ticket);
  std::unique_ptr<Transport> over_ssh(const ConnectionToken& token, const Endpoint& endpoint);
  void begin(std::unique_ptr<Transport> inner);
  void stand();
  void on_inner_closed(Closed closed);
  bool link_failed() const;
  bool other_door_may_help(const std::string& reason) const;
  void take_the_other_door(const std::string& reason);
  bool sign_in_may_help(const std::string& reason) const;
  void sign_in_again(Closed closed);
  std::string opening_failure(const std::string& reason) const;
  void finish(Closed closed);

  event::EventLoop& loop_;
  std::shared_ptr<Visit> visit_;
  Options options_;
  SshPrompter& prompter_;
  Hooks hooks_;
  Events events_;
  ConnectionSetup setup_;
  std::string early_;     ///< Typed before there was a terminal.
  std::string ssh_user_;  ///< "JMS-…": not for the operator's eyes.
  TypedAccount typed_;    ///< Until the session stands.
  bool paused_ = false;
  bool closing_ = false;
  bool stood_ = false;                           ///< There was a session.
  bool sent_ = false;                            ///< Something was typed.
  bool signed_in_again_ = false;                 ///< Or tried to, once.
  bool reviewed_ = false;                        ///< A reviewer let the token through.
  std::string failed_way_;                       ///< Why the first door did not open; empty: none was tried in vain.
  std::chrono::steady_clock::time_point begun_;  ///< When the door was tried.
  std::function<void()> on_ready_;
  KokoTransport* koko_ = nullptr;  ///< `inner_`, when it is one.
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::unique_ptr<TokenPrompter> token_prompter_;
  std::unique_ptr<Transport> inner_;
  std::unique_ptr<event::Fiber> fiber_;
};

}  // namespace transport::jumpserver
