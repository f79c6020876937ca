// Runs commands in the operator's own session, where all there is are the bytes of a terminal. The ladder and its rules
// are in the design notes, section 6; the parts are: Exchange (one typed line followed through the stream), the lanes
// (what to do about it, and when), Recorder (the output).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "event/event_loop.h"
#include "event/timer.h"
#include "remote_exec/command_result.h"
#include "remote_exec/host.h"
#include "remote_exec/operator_line.h"
#include "remote_exec/output_store.h"
#include "remote_exec/prompt_guard.h"
#include "remote_exec/shell_memory.h"
#include "remote_exec/watched_clock.h"
#include "remote_exec/wrap_command.h"
#include "transport/session_notice.h"

namespace remote_exec {

/// Settings of a host; the same for all its commands.
struct Options {
  OutputStore::Options output;
  std::string encoding;   ///< Of the host's text when it is not UTF-8, as iconv names it.
  bool quit_key = false;  ///< After Ctrl-C did not help, also press Ctrl-\.
  bool quiet_level =
      false;            ///< Where nothing answers like a shell or a known client, type anyway and wait for silence.
  bool client = false;  ///< A device or database is known to be there: no shell is looked for, only commands are typed.
  bool hooks = false;   ///< Level hook: the operator allows one line that makes the prompt report commands.
};

struct ExecRequest {
  std::string command;
  std::chrono::milliseconds timeout{60'000};
  /// Someone sits at the terminal who can answer what the command asks. Otherwise such a command is interrupted.
  bool attended = true;
  SessionEnd session_end = SessionEnd::refuse;
  std::shared_ptr<OutputFilter> output_filter;  ///< Everything the command prints passes it before it is kept.
};

/// What a run is doing, for the panel.
enum class RunState { proving, typing, running, needs_input, waiting_review, full_screen, interrupting };

struct RunCallbacks {
  std::function<void(std::string_view)> on_output;  ///< Cleaned text, whole lines, while it comes. May be empty.
  std::function<void(RunState, Asking)> on_state;   ///< May be empty.
  std::function<void(CommandResult)> on_done;       ///< Once, from the event loop.
};

class Lane;
struct LaneContext;
struct RunLink;

/// One command under way. Destroying it cancels: the command is interrupted, the prompt proved again, and no callback
/// comes any more.
class Run {
 public:
  explicit Run(std::shared_ptr<RunLink> link) : link_(std::move(link)) {}
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Interrupts; on_done follows with what came so far.
  void stop();

 private:
  std::shared_ptr<RunLink> link_;
};

/// The shell behind a shared terminal: every remote byte passes its filter, and it runs one command at a time.
class RemoteShell {
 public:
  RemoteShell(event::EventLoop& loop, Options options, Host host);
  ~RemoteShell();

  /// What of the remote's bytes the operator's screen gets. While nothing runs: all of it, unchanged.
  std::string filter(std::string_view remote_bytes);
  /// True when filter() would return its argument: the caller may skip the call and the copy.
  bool idle() const { return lane_ == nullptr; }

  /// Starts a command. One at a time: a second one is refused as busy, but may wait for the prompt of the one before.
  std::unique_ptr<Run> run(ExecRequest request, RunCallbacks callbacks);

  /// The operator's keyboard sent this to the remote.
  void on_operator_input(std::string_view bytes);
  /// `why`: a sentence for whoever waits for a command, or nothing.
  void on_disconnected(std::string_view why = {});
  /// The bastion did something to the session: a command that does not end well meanwhile tells of it.
  void on_notice(const transport::SessionNotice& notice);
  /// The session is given up: what runs is forgotten where it stands, and nothing is called any more.
  void abandon();
  /// There is a connection again, and behind it another shell: nothing that was known of the old one holds.
  void on_connected();

  /// What is known of the shell, for the panel and for tests.
  const ShellMemory& memory() const { return memory_; }

 private:
  friend class Run;
  friend class Lane;

  void start(ExecRequest request, std::shared_ptr<RunLink> link);
  void refuse(const ExecRequest& request, const std::shared_ptr<RunLink>& link, Status status, Reason reason,
              std::string_view note = {});
  LaneContext context();
  void tick();
  void after_event();
  void show_held();
  void stop_run(RunLink& link, bool wants_result);

  event::EventLoop& loop_;
  Options options_;
  Host host_;
  ShellMemory memory_;
  OperatorLine operator_line_;
  WatchedClock clock_;
  bool disconnected_ = false;
  std::string lost_why_;  ///< Why, when it is known.
  std::string lock_;      ///< The sentence that tells of it, while the session is locked.
  std::string notices_;   ///< Since the command under way began.
  std::unique_ptr<Lane> lane_;
  std::optional<std::pair<ExecRequest, std::shared_ptr<RunLink>>> next_;  ///< Waits for the prompt of the one before.
  event::Timer timer_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace remote_exec
