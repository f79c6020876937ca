#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/session/question_line.h"
#include "base/result.h"
#include "base/size.h"
#include "event/event_loop.h"
#include "event/timer.h"
#include "transport/session_notice.h"
#include "transport/transport.h"

namespace app {

/// The way to the remote: makes it, tells how it goes, asks what must be asked, and offers it again when it is lost.
/// What was typed is never sent twice: a new connection is a new shell.
class Connection {
 public:
  /// What a transport under way tells about itself.
  struct Hooks {
    std::function<void(const std::string&)> on_progress;
    std::function<void(const std::string&)> on_remark;  ///< One line worth keeping on the screen.
    std::function<void()> on_ready;
    std::function<void(const transport::SessionNotice&)> on_notice;  ///< Something is done to the session.
    /// Which way was taken and why, where that is not plain: for results and people alike. May be empty.
    std::function<void(const std::string&)> on_way;
  };
  using Factory = std::function<base::Result<std::unique_ptr<transport::Transport>>(
      base::Size size, transport::SshPrompter& prompter, Hooks hooks)>;

  struct Events {
    std::function<void(std::string_view)> on_bytes;
    std::function<void()> on_drained;
    std::function<void(std::string_view)> show;  ///< Puts our own words on the operator's screen.
    std::function<void()> on_ready;              ///< A session is open: the first one, or another after a loss.
    /// Before the offer to reconnect is shown: leave full-screen programs.
    std::function<void(const std::string& why)> on_lost;
    std::function<void(const transport::SessionNotice&)> on_notice;
    std::function<void(transport::Closed)> on_end;
    std::function<void()> on_abort;  ///< The operator gave up with Ctrl-C.
  };

  Connection(event::EventLoop& loop, Factory factory, Events events);

  /// Fails only when the transport cannot even be made.
  base::Result<void> open(base::Size size);

  /// Keys that are for us: answers, Ctrl-C while connecting, the reconnect offer. What is left goes to the remote.
  std::string_view take_input(std::string_view bytes);
  bool wants_input() const { return state_ != State::running || question_.open(); }
  bool running() const { return state_ == State::running; }

  void send(std::string_view bytes);
  std::size_t unsent() const { return transport_ ? transport_->unsent() : 0; }
  void resize(base::Size size);
  void pause_reading(bool paused);
  /// Begins to end the session; nothing of it is shown or told any more.
  void close();
  /// The same, and gives the goodbye its time: see transport::hang_up().
  void hang_up();

 private:
  enum class State { connecting, running, lost, over };

  void on_ready();
  void on_closed(transport::Closed closed);
  bool choose(char key);
  void progress(const std::string& what);
  void clear_progress();
  void remark(const std::string& line);
  void on_notice(const transport::SessionNotice& notice);

  event::EventLoop& loop_;
  Factory factory_;
  Events events_;
  QuestionLine question_;
  State state_ = State::connecting;
  base::Size size_;
  bool leaving_ = false;    ///< The session is no longer wanted.
  bool was_there_ = false;  ///< A session was open: what is lost from now on is offered again.
  bool paused_ = false;
  std::string progress_;
  bool progress_shown_ = false;
  event::Timer progress_timer_;
  std::unique_ptr<transport::Transport> transport_;
};

}  // namespace app
