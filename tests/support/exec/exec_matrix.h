// Runs the matrix of shells and cases over any kind of link: many sessions at once in one event loop, each shell
// keeping its session from case to case.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "event/event_loop.h"
#include "tests/support/exec/exec_case.h"
#include "transport/pty_transport.h"

namespace support {

/// How the matrix reaches its shells, and what the link does to them.
struct MatrixLink {
  /// Opens a terminal of that size in which `shell` runs, with its files below `home`.
  std::function<std::unique_ptr<transport::Transport>(event::EventLoop&, const ShellUnderTest& shell,
                                                      const std::string& home, base::Size size)>
      open;
  /// Added to the time bound of every case.
  std::chrono::milliseconds slack{0};
  /// The terminal changes its size at random moments all the time.
  bool resizes = false;
  /// The cases of one shell are dealt out to this many sessions.
  int sessions_per_shell = 1;
  std::vector<ShellUnderTest> shells = all_shells();
  std::vector<ExecCase> cases = exec_cases();
};

/// A terminal on this machine, as the plain matrix uses it.
std::unique_ptr<transport::PtyTransport> open_on_pty(event::EventLoop& loop, const ShellUnderTest& shell,
                                                     const std::string& home, base::Size size);

/// Runs every case in every shell; what is not as it must be is a failure of the current test.
void run_matrix(event::EventLoop& loop, const MatrixLink& link);

}  // namespace support
