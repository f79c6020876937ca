#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "remote_exec/recorder.h"
#include "remote_exec/remote_shell.h"
#include "remote_exec/watched_clock.h"

namespace remote_exec {

using Clock = WatchedClock;
using std::chrono::milliseconds;

/// What is said of a run that was stopped in time.
inline constexpr std::string_view kNeverTyped = "Interrupted before the command was typed.";

/// Ties a Run to its lane; outlives both.
struct RunLink {
  RunCallbacks callbacks;
  RemoteShell* shell = nullptr;
  std::weak_ptr<bool> shell_alive;
  bool wanted = true;  ///< The Run still exists.
};

/// What a lane works with; all of it belongs to RemoteShell.
struct LaneContext {
  event::EventLoop& loop;
  const Options& options;
  const Host& host;
  ShellMemory& memory;
  OperatorLine& operator_line;
  const WatchedClock& clock;
  const std::string& notices;  ///< What was done to the session since the command began.
};

/// One command on its way, at one level of the ladder. Told of bytes and time; over() when the terminal is idle again.
class Lane {
 public:
  Lane(LaneContext context, ExecRequest request, std::shared_ptr<RunLink> link);
  virtual ~Lane() = default;

  virtual void begin() = 0;
  std::string filter(std::string_view bytes);
  virtual void tick() = 0;
  virtual void operator_input(std::string_view keys) = 0;
  /// The run was stopped or its owner is gone.
  virtual void stop() = 0;
  /// True when another command may wait for this lane's prompt: its own result has been given.
  virtual bool settling() const = 0;
  /// The operator has the prompt back though this lane never saw it: it may be given up.
  virtual bool may_be_replaced() const { return false; }

  void disconnected();
  /// Bytes that were held back in vain and belong on the screen, behind all that filter() has returned.
  virtual std::string take_held() { return {}; }
  bool over() const { return over_; }
  const std::shared_ptr<RunLink>& link() const { return link_; }
  /// Set when the request belongs to another level: RemoteShell starts it there.
  bool wants_client() const { return wants_client_; }
  const ExecRequest& request() const { return request_; }

 protected:
  virtual std::string on_bytes(std::string_view bytes) = 0;

  /// Gives the result, once.
  void deliver(Status status, Reason reason, std::optional<int> exit_code = {}, std::string note = {});
  void tell(RunState state, Asking asking = Asking::nothing);
  Clock::time_point now() const { return context_.clock.now(); }
  milliseconds since(Clock::time_point moment) const;
  /// Types text in messages of at most 1 kB, as bastions want them.
  void type(std::string_view line) const;

  LaneContext context_;
  ExecRequest request_;
  std::shared_ptr<RunLink> link_;
  std::unique_ptr<Recorder> recorder_;
  Framing framing_ = Framing::line;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  Clock::time_point last_byte_ = now();
  bool delivered_ = false;
  bool over_ = false;
  bool wants_client_ = false;
};

}  // namespace remote_exec
