#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "event/timer.h"
#include "transport/pty_transport.h"
#include "transport/ssh/askpass_desk.h"
#include "transport/ssh/ssh_config.h"
#include "transport/ssh/ssh_prompter.h"

namespace transport {

/// The system's ssh on a pty of ours. What it asks while it connects reaches the operator through an AskpassDesk, in
/// the same words and places as the questions of the other engine.
///
/// Until its session stands, ssh's own words are kept: they go before the next question, or before the session's first
/// bytes, or tell why there is none.
class OpensshTransport final : public Transport {
 public:
  struct Command {
    std::vector<std::string> argv;
    std::string term;
    base::Size size;
    std::string helper;               ///< Path of a program that is jms; empty: ssh asks on its own terminal.
    std::vector<HostSettings> chain;  ///< The hops that it goes through, its destination last.
    std::string hidden_user;          ///< A user name that nobody is to read.
  };
  /// Each may be empty.
  struct Hooks {
    std::function<void()> on_ready;                       ///< The session stands.
    std::function<void(const std::string&)> on_progress;  ///< "confirm user presence for key …"
  };

  static base::Result<std::unique_ptr<OpensshTransport>> launch(event::EventLoop& loop, const Command& command,
                                                                SshPrompter& prompter, Hooks hooks);
  ~OpensshTransport() override;

  void start(Events events) override;
  void send(std::string_view bytes) override;
  std::size_t unsent() const override { return pty_->unsent() + early_.size(); }
  void resize(base::Size size) override { pty_->resize(size); }
  void pause_reading() override { pty_->pause_reading(); }
  void resume_reading() override { pty_->resume_reading(); }
  void close() override;

  bool ready() const { return ready_; }

 private:
  OpensshTransport(event::EventLoop& loop, const Command& command, SshPrompter& prompter, Hooks hooks);
  base::Result<void> run(const Command& command);
  void on_bytes(std::string_view bytes);
  void on_closed(Closed closed);
  void look_whether_it_stands();
  void stands();
  void on_question(const AskpassDesk::Question& asked);
  void reply(bool confirm, std::optional<Secret> text);
  void withdraw();
  std::string take_words();
  std::string why_lost(const Closed& closed) const;
  std::string not_accepted() const;

  event::EventLoop& loop_;
  SshPrompter& prompter_;
  Hooks hooks_;
  Events events_;
  std::vector<HostSettings> chain_;
  std::string hidden_user_;
  bool talks_to_tty_;  ///< Something on the way may ask on the terminal itself: keys and words pass at once.
  std::string words_;  ///< Printed before the session stood, not shown yet.
  std::string tail_;   ///< The same, shown or not: the last of it.
  std::string early_;  ///< Typed before the session stood.
  std::map<std::string, int> asked_;  ///< How often each question came.
  std::string host_key_of_;           ///< The hop whose host key was asked about last.
  bool ready_ = false;
  bool at_question_ = false;
  bool closing_ = false;
  bool declined_ = false;
  bool question_open_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::unique_ptr<AskpassDesk> desk_;
  std::unique_ptr<PtyTransport> pty_;
  event::Timer looking_;
};

}  // namespace transport
