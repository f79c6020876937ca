#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "event/event_loop.h"
#include "event/timer.h"
#include "remote_exec/remote_shell.h"
#include "terminal/screen.h"
#include "transport/jumpserver/koko_words.h"
#include "transport/transport.h"

namespace remote_exec {

/// A session without a terminal in front of it: a transport, a screen model and a shell in one, for `jms exec`.
class ExecSession {
 public:
  struct Settings {
    base::Size size;
    Options options;
    /// How long log-in and its scripts may take to reach a prompt, from connected() or the first byte that comes.
    /// Connecting is the transport's matter and has its own limits.
    std::chrono::milliseconds prompt_limit{30'000};
    /// connected() will be called: what comes before it is said by the way to the host, and no prompt.
    bool announced = false;
    std::function<void(const transport::Closed&)> on_closed;  ///< May be empty.
  };

  ExecSession(event::EventLoop& loop, std::unique_ptr<transport::Transport> transport, Settings settings);
  ~ExecSession();

  /// Opens the session; the first command waits for its prompt.
  void start();
  /// The transport has reached its shell.
  void connected();
  /// Runs one command; on_done comes once, also when the session cannot be opened or ends. One at a time.
  void run(ExecRequest request, RunCallbacks callbacks);
  /// Interrupts the command under way; its on_done follows.
  void stop();
  /// Something was done to the session from outside; results tell of it.
  void notice(const transport::SessionNotice& notice) { shell_.on_notice(notice); }
  /// The session is no longer wanted: nothing is called any more. What filters a command's output may then go.
  void abandon();
  /// The same, and ends the session in order. Serves the loop for a moment: see transport::hang_up().
  void hang_up();

  /// A prompt was reached, or whatever was taken for one.
  bool ready() const { return ready_; }
  /// Set once the transport has closed.
  const std::optional<transport::Closed>& closed() const { return closed_; }

  RemoteShell& shell() { return shell_; }
  terminal::Screen& screen() { return screen_; }
  transport::Transport& transport() { return *transport_; }
  /// As if a person typed it.
  void type(std::string_view keys);
  void resize(base::Size size);

 private:
  void on_bytes(std::string_view bytes);
  void on_closed(transport::Closed closed);
  void show(std::string_view bytes) { screen_.write(bytes); }
  std::string last_words() const;
  bool prompt_reached() const;
  bool question_stands() const;
  WatchedClock::duration opening_limit() const;
  void run_when_ready();

  event::EventLoop& loop_;
  Settings settings_;
  terminal::Screen screen_;
  std::unique_ptr<transport::Transport> transport_;
  RemoteShell shell_;
  event::Timer waiting_;
  std::optional<std::pair<ExecRequest, RunCallbacks>> first_;
  std::unique_ptr<Run> run_;
  std::optional<transport::Closed> closed_;
  WatchedClock clock_;
  std::optional<WatchedClock::time_point> opened_;  ///< When the limit began to count.
  WatchedClock::time_point first_byte_;
  WatchedClock::time_point last_byte_;
  transport::jumpserver::KokoWords words_;  ///< The end of what came, as a bastion's words.
  bool abandoned_ = false;
  bool any_bytes_ = false;
  bool ready_ = false;
};

}  // namespace remote_exec
