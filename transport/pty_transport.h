#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "base/write_queue.h"
#include "event/child_process.h"
#include "event/fd_watch.h"
#include "transport/transport.h"

namespace transport {

/// A program on a pseudo-terminal of this machine: `jms local`, and the system's ssh when we drive it.
class PtyTransport final : public Transport {
 public:
  struct Program {
    std::vector<std::string> argv;         ///< argv[0] is looked up in PATH.
    std::vector<std::string> environment;  ///< "NAME=value" added to, or replacing, ours.
    base::Size size;
  };

  static base::Result<std::unique_ptr<PtyTransport>> launch(event::EventLoop& loop, const Program& program);

  PtyTransport(event::EventLoop& loop, base::UniqueFd master, pid_t child);
  ~PtyTransport() override;

  void start(Events events) override;
  void send(std::string_view bytes) override;
  std::size_t unsent() const override { return queue_.size(); }
  void resize(base::Size size) override;
  void pause_reading() override;
  void resume_reading() override;
  void close() override;

  pid_t child_pid() const { return child_.pid(); }
  /// Whether the program has taken the terminal's keys to itself, unbuffered.
  bool is_raw() const;
  /// Delivers what the program has printed by now, without waiting for the loop.
  void read_now() { read_some(); }
  /// Ends the program and what it started at once.
  void kill_all();

 private:
  void on_ready(event::Readiness ready);
  void read_some();
  void write_some();
  void update_interest();
  void finish_when_both_ended();

  event::EventLoop& loop_;
  base::UniqueFd master_;
  Events events_;
  base::WriteQueue queue_;
  bool paused_ = false;
  bool drained_ = false;  ///< The pty will deliver nothing more.
  std::optional<event::ExitStatus> exit_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  event::ChildProcess child_;
  std::optional<event::FdWatch> watch_;
};

}  // namespace transport
