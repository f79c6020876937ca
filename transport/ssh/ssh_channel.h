#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/size.h"
#include "event/timer.h"
#include "transport/ssh/ssh_session.h"

struct _LIBSSH2_CHANNEL;

namespace transport {

/// The one channel of a session, once it is open: bytes both ways, with flow control. Lives and dies with its session;
/// callbacks come from the loop and may destroy both.
class SshChannel {
 public:
  struct Events {
    std::function<void(std::string_view)> on_bytes;
    std::function<void()> on_end;                     ///< The other side sends nothing more.
    std::function<void(std::string reason)> on_lost;  ///< The session is gone.
    std::function<void()> on_drained;                 ///< unsent() went back to zero. May be empty.
  };
  /// A terminal of OpenSSH's in a password prompt mirrors what is typed, in packets too large for libssh2 when a long
  /// paste comes at once; so what goes to a terminal is sent in bursts.
  enum class Pace { full, bursts };

  SshChannel(SshSession& session, _LIBSSH2_CHANNEL* channel, Pace pace);

  void start(Events events);
  void send(std::string_view bytes);
  std::size_t unsent() const { return queue_.size() - sent_; }
  void pause_reading() { paused_ = true; }
  void resume_reading();
  void resize(base::Size size);

  /// Notices a peer that does not answer: after `interval` without a byte it is asked for a sign of life, `count`
  /// times.
  void keep_alive(std::chrono::milliseconds interval, int count);

  /// Ends the channel from our side and calls `done` when the other side has agreed, or after `limit`.
  void close(std::chrono::milliseconds limit, std::function<void()> done);
  /// After the end: the exit code, 128 + signal when a signal ended the program.
  int exit_code() const;
  std::string exit_signal() const;  ///< "KILL"; empty when there was none.

  /// Reads and writes what can be; called when the session's link is ready.
  void pump();

 private:
  bool write_some();
  void wait_for_next_burst();
  bool burst_has_arrived() const;
  bool read_some();
  bool pump_without_reading();
  void pump_requests();
  bool pump_close();
  void pump_soon();
  void check_life();
  void lose(int status);

  SshSession& session_;
  _LIBSSH2_CHANNEL* channel_;
  Pace pace_;
  Events events_;
  std::string queue_;
  std::size_t sent_ = 0;  ///< How much of `queue_` is gone already.
  std::size_t burst_left_;
  std::uint64_t burst_mirror_ = 0;  ///< session_.mirrored() when the burst began.
  std::chrono::steady_clock::time_point burst_ended_{};
  bool paused_ = false;
  bool ended_ = false;
  bool pumping_ = false;
  bool pump_planned_ = false;
  std::optional<base::Size> wanted_size_;
  int questions_ = 0;     ///< To be asked, one after the other, or under way; any server answers them.
  bool answers_ = false;  ///< This one did.
  int unanswered_ = 0;
  std::chrono::steady_clock::time_point asked_at_{};  ///< The first question that has no answer yet.
  std::chrono::milliseconds interval_{};
  int most_unanswered_ = 0;
  std::function<void()> on_closed_;
  event::Timer burst_timer_;
  event::Timer life_timer_;
  event::Timer close_timer_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

/// A session of its own over a direct-tcpip channel: the link to the next hop. Owns the session below.
class ChannelLink final : public ByteLink {
 public:
  ChannelLink(std::unique_ptr<SshSession> session, _LIBSSH2_CHANNEL* channel);
  ~ChannelLink() override;

  ssize_t receive(char* buffer, std::size_t size) override;
  void send(std::string_view bytes) override { channel_.send(bytes); }
  std::size_t unsent() const override { return channel_.unsent(); }
  int descriptor() const override { return session_->link().descriptor(); }
  std::string complaint() override { return complaint_; }

 private:
  std::unique_ptr<SshSession> session_;
  SshChannel channel_;
  std::string received_;
  std::size_t taken_ = 0;  ///< How much of `received_` is gone already.
  bool ended_ = false;
  std::string complaint_;
};

/// Inside a fiber: opens the way to the next hop through `session`.
base::Result<std::unique_ptr<ByteLink>> open_tunnel(ConnectionSetup& setup, std::unique_ptr<SshSession> session,
                                                    const std::string& host, int port, std::chrono::milliseconds limit);

/// What runs at the other end.
struct ShellRequest {
  std::string term = "xterm-256color";
  base::Size size;
  bool pty = true;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string command;  ///< Empty: the login shell.
};

/// Inside a fiber: opens a terminal with a shell or a command in it.
base::Result<_LIBSSH2_CHANNEL*> open_shell(ConnectionSetup& setup, SshSession& session, const ShellRequest& request,
                                           std::chrono::milliseconds limit);

}  // namespace transport
