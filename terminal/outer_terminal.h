#pragma once

#include <string_view>

#include "base/result.h"
#include "base/size.h"
#include "base/unique_fd.h"

namespace terminal {

/// The operator's own terminal: raw while we use it, and put back on every way out.
///
/// Ways out that run no destructors (SIGSEGV, SIGABRT and their kind) are covered by signal handlers that write the
/// exit sequence and restore the line settings with async-signal-safe calls only, then let the signal have its way.
/// So does a second SIGTERM or SIGHUP that comes while the program is still at the first, or is stuck and never saw it.
/// There is one such terminal per process.
class OuterTerminal {
 public:
  /// Opens the terminal behind standard input through a description of its own, so that making it non-blocking
  /// does not change it for the shell that started us.
  static base::Result<OuterTerminal> open();

  OuterTerminal(OuterTerminal&&) = default;
  OuterTerminal& operator=(OuterTerminal&&) = delete;
  ~OuterTerminal();

  int fd() const { return fd_.get(); }
  base::Size size() const;

  base::Result<void> enter_raw();
  /// After a stop and SIGCONT: the settings are someone else's again.
  void raw_again();
  /// Writes the exit sequence and gives the line settings back. Safe to call again.
  void leave();

  /// From here on the second of each ending signal does not wait for the program. Call it when the handlers for the
  /// first are in place: they are called as before.
  static void insist_on_ending();

  /// What undoes the present state of the terminal (alternate screen, mouse, pen…); kept up to date by the owner.
  static void set_exit_sequence(std::string_view bytes);

 private:
  explicit OuterTerminal(base::UniqueFd fd) : fd_(std::move(fd)) {}

  base::UniqueFd fd_;
};

}  // namespace terminal
